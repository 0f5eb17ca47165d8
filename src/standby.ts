import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openStandbyAdmin } from './platform/admin/standby-admin.js';
import { primaryLink } from './platform/cluster/primary-link.js';
import { PROJECT_DIR, readVersion } from './platform/config/project-files.js';
import { loadEnv } from './platform/config/env.js';
import { DatabaseUnavailableError } from '@status-pages/resilient-pg';
import { DomainFile } from './domains/domain-file.js';
import { createLogger } from './platform/logging/logger.js';
import { SavedCopies } from './visitors/cache/saved-copies.js';
import { StandbyServer } from './visitors/cache/standby-server.js';
import { ClientAddress } from './platform/server/client-address.js';
import { RequestEnds } from './platform/server/request-end.js';
import { RequestLog } from './platform/server/request-log.js';

const RETRY_MS = 2_000;

/** SQLSTATE classes of configuration errors: failed authorization, unknown database. Waiting does not help. */
const CONFIGURATION = /^(28|3D)/;

/** An application, and the port to listen on. */
interface Started {
  app: NestExpressApplication;
  port: number;
}

/** Resources that the process must close at shutdown. */
export interface Standby {
  close(): Promise<void>;
}

/**
 * Creates the application. If the database is down, but copies of public pages are saved in `DATA_DIR`, serves them
 * immediately, and retries until the database is available.
 * @param onStandby receives the server of the saved copies
 * @throws the error of `create` if the database is not down, or there are no saved copies
 */
export async function createOrStandBy(
  create: () => Promise<NestExpressApplication>,
  onStandby: (standby: Standby) => void,
): Promise<Started> {
  const env = loadEnv(process.env);
  env.DATA_DIR = resolve(PROJECT_DIR, env.DATA_DIR);
  try {
    return { app: await create(), port: env.PORT };
  } catch (error) {
    if (!isAway(error) || env.EMBEDDED) throw error;
    const logger = createLogger(env.LOG_LEVEL, 1);
    const saved = new SavedCopies(env, logger);
    await saved.load();
    const domains = await new DomainFile(env).read();
    if (saved.size === 0 && domains.size === 0) throw error;
    const log = new RequestLog(logger, new ClientAddress(env, logger), new RequestEnds());
    const server = new StandbyServer(saved, logger, log, env, domains);
    let closeAdmin: (() => Promise<void>) | undefined;
    const standby: Standby = {
      close: async () => void (await Promise.all([server.close(), closeAdmin?.()])),
    };
    onStandby(standby);
    const port = await server.listen(env.PORT, env.HOST);
    const { size: copies } = saved;
    const url = `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${port}`;
    closeAdmin = await openStandbyAdmin(env, logger, domains.names());
    await primaryLink.send({ kind: 'listening', url, is_standby: true });
    logger.warn(
      { reason: error.message, copies, version: readVersion() },
      `Status Pages listens on ${url} and serves only saved copies because the database is unavailable`,
    );
    const app = await createWhenBack(create);
    await standby.close();
    logger.info('the database is available; serving all requests');
    return { app, port };
  }
}

async function createWhenBack(
  create: () => Promise<NestExpressApplication>,
): Promise<NestExpressApplication> {
  for (;;) {
    await delay(RETRY_MS);
    try {
      return await create();
    } catch (error) {
      if (!isAway(error)) throw error;
    }
  }
}

function isAway(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError && !CONFIGURATION.test(error.code ?? '');
}
