import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { createApp } from './create-app.js';
import { MailTransport } from './mail/mail-transport.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { readVersion } from './platform/config/project-files.js';
import { LOGGER } from './platform/logging/logging.module.js';

/** A process that delivers events and does not serve requests (`npm run start:worker`). With ADMIN_PORT, it serves metrics. */
export class DeliveryProcess {
  private app: NestExpressApplication | undefined;

  /** Resolves when it delivers. @throws Error if it cannot start */
  async start(): Promise<void> {
    this.app = await createApp();
    const logger = this.app.get<Logger>(LOGGER);
    await this.app.init(); // does not listen
    const channels = this.app.get(DeliveriesService).available.map(({ name }) => name);
    if (!this.app.get(MailTransport).isConfigured)
      logger.warn('no mail is sent, because neither SMTP_URL nor MAIL_DIR is set');
    logger.info({ channels, version: readVersion() }, 'Status Pages delivers events');
  }

  /** Stops after the deliveries in flight. */
  async stop(): Promise<void> {
    await this.app?.close();
  }

  /** There is no `DRAIN_DELAY`. */
  skipDelay(): void {}
}
