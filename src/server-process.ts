import cluster from 'node:cluster';
import { AccessRulesService } from './access/access-rules.service.js';
import { warnOfLostSessions } from './platform/server/host-cookies.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { primaryLink } from './platform/cluster/primary-link.js';
import { readVersion } from './platform/config/project-files.js';
import { Env } from './platform/config/env.js';
import { hasConsole, PublicUrl } from './platform/config/public-url.js';
import { createApp } from './create-app.js';
import { warnOfTooFewConnections } from './platform/database/connection-budget.js';
import { StatementRunner } from './platform/database/statement-runner.js';
import { PAGES } from './demo/demo-pages.js';
import { DemoService } from './demo/demo.service.js';
import { firstSteps, printDemo, printFirstSteps } from './demo/print-demo.js';
import { serveStartPage } from './demo/start-page.js';
import { warnOfMissingMailServer } from './mail/mail-warning.js';
import { LOGGER } from './platform/logging/logging.module.js';
import { GracefulShutdown } from './platform/server/graceful-shutdown.js';
import { PageLookupService } from './status-pages/page-lookup.service.js';
import { createOrStandBy, type Standby } from './standby.js';

/** A process that serves requests: the server, or a worker of WEB_CONCURRENCY. */
export class ServerProcess {
  private app: NestExpressApplication | undefined;
  private standby: Standby | undefined;

  /** @param isDevelopment whether `npm start` runs this process */
  constructor(private readonly isDevelopment: boolean) {}

  /** Resolves when the server listens. @throws Error if it cannot start */
  async start(): Promise<void> {
    primaryLink.on('skip-delay', () => this.skipDelay());
    const { app, port } = await createOrStandBy(createApp, (found) => (this.standby = found));
    this.app = app;
    if (this.isDevelopment) serveStartPage(app);
    const logger = app.get<Logger>(LOGGER);
    const env = app.get(Env);
    await app.listen(port, env.HOST);
    const url = await app.getUrl();
    if (cluster.isWorker) await primaryLink.send({ kind: 'listening', url, is_standby: false });
    else
      logger.info(
        { url, version: readVersion() },
        `Status Pages listens on ${url} (documentation: ${url}/docs)`,
      );
    if (!cluster.isWorker || cluster.worker?.id === 1) {
      await warnOfTooFewConnections(app.get(StatementRunner), env, logger).catch(() => undefined);
      warnOfLostSessions(app.get(PublicUrl).value, logger);
      const [pages, access] = [app.get(PageLookupService), app.get(AccessRulesService)];
      await warnOfMissingMailServer(pages, access, env, logger).catch(() => undefined);
    }
    // After listening, because a failed startup must not create a key that is never printed.
    const demo = env.DEMO && env.EMBEDDED ? await app.get(DemoService).createIfEmpty(PAGES.length) : null;
    const publicUrl = app.get(PublicUrl).value;
    if (!demo && (!this.isDevelopment || cluster.isWorker)) return;
    const signIn = hasConsole(env)
      ? await app
          .get(DemoService)
          .signInLink()
          .catch(() => undefined) // a replica accepts no writes
      : undefined;
    if (demo) printDemo(demo, url, publicUrl, signIn);
    else printFirstSteps(firstSteps(await app.get(DemoService).find(), publicUrl, env), publicUrl, signIn);
  }

  /** Stops the server after the in-flight requests. After a failed startup, closes the database. */
  async stop(): Promise<void> {
    await this.standby?.close();
    await this.app?.close();
  }

  /** Ends `DRAIN_DELAY`. */
  skipDelay(): void {
    this.app?.get(GracefulShutdown).skipDelay();
  }
}
