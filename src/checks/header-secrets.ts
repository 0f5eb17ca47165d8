import { Injectable } from '@nestjs/common';
import { SecretsService } from '../platform/secrets/secrets.service.js';
import type { CheckHeaderDto } from './dto/check-headers.js';

const PURPOSE = 'check headers';

/** Encrypts the headers of checks for the database, because they can contain secrets. */
@Injectable()
export class HeaderSecrets {
  constructor(private readonly secrets: SecretsService) {}

  /** Returns the columns of headers; nothing for undefined. */
  columnsOf(headers: CheckHeaderDto[] | undefined): {
    header_names?: string[];
    encrypted_headers?: Buffer | null;
  } {
    if (!headers) return {};
    const named = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
    const encrypted_headers =
      headers.length === 0 ? null : this.secrets.encrypt(PURPOSE, JSON.stringify(named));
    return { header_names: Object.keys(named), encrypted_headers };
  }

  /** Returns stored headers by name, or undefined if the instance does not have the key any more. */
  read(encrypted: Buffer | null): Record<string, string> | undefined {
    if (encrypted === null) return {};
    try {
      const headers: Record<string, string> = JSON.parse(this.secrets.decrypt(PURPOSE, encrypted));
      return headers;
    } catch {
      return undefined;
    }
  }
}
