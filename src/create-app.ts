import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { type Environment, EnvironmentModule } from './config/config.module.js';
import { ServerExpressAdapter } from './server/express-adapter.js';
import { handleClientErrors } from './server/client-errors.js';
import { GracefulShutdown } from './server/graceful-shutdown.js';
import { handleOptions } from './server/methods.js';
import { serveOpenApi } from './openapi/document.js';
import { validateRequestHeaders } from './server/request-headers.js';
import { requestId } from './server/request-id.js';
import { requestLog } from './server/request-log.js';
import { responseHeaders } from './server/response-headers.js';
import { escapeUndecodablePath, parseQuery } from './server/url.js';
import { NestLogger } from './logging/logger.js';
import { LOGGER } from './logging/logging.module.js';

/**
 * The server, ready to listen: the modules, and everything about HTTP that is not in one of them. `main.ts` and the
 * tests start it through this.
 * @param environment its variables, by default those of the process
 * @param module the root module: AppModule, or one that imports it and more
 * @throws EnvError for variables that are not valid
 */
export async function createApp(
  environment: Environment = process.env,
  module: Type = AppModule,
): Promise<NestExpressApplication> {
  const adapter = new ServerExpressAdapter(createExpress());
  const root = { module, imports: [EnvironmentModule.of(environment)] };
  const app = await NestFactory.create<NestExpressApplication>(root, adapter, {
    bodyParser: false, // InputGuard reads bodies, after the guards
    logger: false, // until ours is there; what stops the start is told by main.ts
    abortOnError: false,
  });
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLogger(logger));
  app.use(
    requestId,
    requestLog(logger),
    responseHeaders(),
    app.get(GracefulShutdown).middleware,
    validateRequestHeaders,
    escapeUndecodablePath,
    handleOptions,
  );
  serveOpenApi(app);
  handleClientErrors(adapter, logger);
  return app;
}

/** Express with the defaults that the contract needs; set before the adapter makes the router, which reads them once. */
function createExpress(): express.Express {
  const instance = express();
  instance.enable('case sensitive routing');
  instance.enable('strict routing');
  instance.disable('x-powered-by');
  instance.disable('etag'); // it would hash every body
  // Only an operation that has an ETag answers 304 (`express-adapter.ts`); Express would answer it to any `If-None-Match: *`.
  Object.defineProperty(instance.request, 'fresh', { value: false });
  instance.set('query parser', parseQuery);
  return instance;
}
