import type { Logger } from 'pino';
import type { Env } from '../platform/config/env.js';
import type { PageLookupService } from '../status-pages/page-lookup.service.js';

/**
 * Logs a warning if a status page takes subscriptions, or lets in visitors by mail, but this process delivers events and cannot
 * send mail.
 */
export async function warnOfMissingMailServer(
  pages: Pick<PageLookupService, 'anyTakesSubscriptions'>,
  access: { anyTakesEmail: () => Promise<boolean> },
  { DELIVERY, SMTP_URL, MAIL_DIR }: Env,
  logger: Logger,
): Promise<void> {
  if (DELIVERY === 'off' || SMTP_URL !== undefined || MAIL_DIR !== undefined) return;
  if (await pages.anyTakesSubscriptions())
    logger.warn(
      'SMTP_URL is not set; status pages with subscribe_enabled offer feeds only, and no mail is sent',
    );
  if (await access.anyTakesEmail())
    logger.warn('SMTP_URL is not set; private status pages do not offer links by mail');
}
