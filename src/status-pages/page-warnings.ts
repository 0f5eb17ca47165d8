import { Injectable } from '@nestjs/common';
import { Env } from '../platform/config/env.js';
import { canSendMail } from '../platform/config/mail-env.js';
import type { PageWarningDto } from './dto/page-warning.dto.js';

/** Adds `warnings` to the responses of changes that are stored, but have no effect because of the server's configuration. */
@Injectable()
export class PageWarnings {
  constructor(private readonly env: Env) {}

  /** Returns `warnings` for the fields of a request, or nothing without a warning. */
  of({ subscribe_enabled }: { subscribe_enabled?: boolean }): { warnings?: PageWarningDto[] } {
    if (subscribe_enabled !== true || canSendMail(this.env)) return {};
    const detail = 'visitors cannot subscribe by mail, because the server has no SMTP_URL';
    return { warnings: [{ code: 'mail_not_configured', detail, pointer: '#/subscribe_enabled' }] };
  }
}
