import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { hostAndPort } from '../platform/config/network-env.js';
import { type FieldError, validationFailed } from '../platform/problems/problem.js';
import type { CreateCheckDto } from './dto/create-check.dto.js';
import type { UpdateCheckDto } from './dto/update-check.dto.js';
import { CheckNetwork } from './probes/check-network.js';
import type { CheckType } from './probes/target.js';

/** Fields that apply only to checks of one type. */
const ONLY_FOR: Partial<Record<keyof UpdateCheckDto, CheckType>> = {
  method: 'http',
  headers: 'http',
  body: 'http',
  expected_status: 'http',
  body_contains: 'http',
  follow_redirects: 'http',
  record_type: 'dns',
  expected: 'dns',
  days_before_expiry: 'tls',
};

/** A host name as it is queried, with at most 253 characters. Records such as `_dmarc` begin with an underscore. */
const NAME = /^(?=.{1,253}\.?$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d])?)*\.?$/i;

/** Rules for checks that depend on their type, and on the configuration. */
@Injectable()
export class CheckRules {
  constructor(private readonly network: CheckNetwork) {}

  /**
   * Checks the fields of a request. The addresses of a host name are checked for each connection, because they can change.
   * @throws Problem 400 `validation_failed`
   */
  check(type: CheckType, fields: UpdateCheckDto | CreateCheckDto): void {
    const errors: FieldError[] = [];
    for (const [name, only] of Object.entries(ONLY_FOR))
      if (only !== type && Reflect.get(fields, name) !== undefined)
        errors.push({
          code: 'invalid_format',
          detail: `applies only to checks of the type ${only}`,
          pointer: `#/${name}`,
        });
    const detail = fields.target === undefined ? undefined : this.targetError(type, fields.target);
    if (detail !== undefined) errors.push({ code: 'invalid_format', detail, pointer: '#/target' });
    if (errors.length > 0) throw validationFailed(errors);
  }

  private targetError(type: CheckType, target: string): string | undefined {
    if (type === 'http') return this.urlError(target);
    if (type === 'dns') return NAME.test(target) ? undefined : 'must be a name such as example.com';
    const destination = hostAndPort(target);
    if (!destination) return 'must be a host and a port, such as db.example.com:5432 or [2001:db8::1]:5432';
    return this.hostError(destination.host);
  }

  private urlError(target: string): string | undefined {
    if (
      !/^https?:\/\/[^\s/?#\\]/i.test(target) ||
      /[\s\p{Cc}\p{Cf}\\]/u.test(target) ||
      !URL.canParse(target)
    )
      return 'must be an absolute URL with http or https';
    const { username, password, hash, hostname, port } = new URL(target);
    if (port === '0') return 'must not contain the port 0';
    if (username || password) return 'must not contain a user or a password; use the header Authorization';
    if (hash) return 'must not contain a fragment';
    return this.hostError(hostname.replace(/^\[(.*)\]$/, '$1'));
  }

  private hostError(host: string): string | undefined {
    if (isIP(host) !== 0 && !this.network.permits(host, 'https:'))
      return 'must not contain an address that is not public, except for CHECK_ALLOWED_NETWORKS';
    return isIP(host) !== 0 || NAME.test(host) ? undefined : 'must contain a valid host';
  }
}
