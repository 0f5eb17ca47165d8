import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { HttpAdapter } from './http/adapter.js';
import { answerClientErrors } from './http/client-errors.js';
import { CORS_HEADERS } from './http/cors.js';
import { Drain } from './http/drain.js';
import { answerOptions } from './http/methods.js';
import { serveOpenApi } from './http/openapi.js';
import { requireValidHead } from './http/request-head.js';
import { requestLog } from './http/request-log.js';
import { acceptAnyPath, parseQuery } from './http/url.js';
import { NestLog } from './logging/logger.js';
import { LOGGER } from './logging/logging.module.js';

/**
 * The server, ready to listen: the modules, and everything about HTTP that is not in one of them. `main.ts` and the
 * tests start it through this.
 */
export async function createApp(): Promise<NestExpressApplication> {
  const adapter = new HttpAdapter(createExpress());
  const app = await NestFactory.create<NestExpressApplication>(AppModule, adapter, {
    bodyParser: false, // InputGuard reads bodies, after the guards
    logger: false, // until ours is there; what stops the start is told by main.ts
    abortOnError: false,
  });
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLog(logger));
  app.use(
    requestLog(logger),
    fixedHeaders(),
    app.get(Drain).middleware,
    requireValidHead,
    acceptAnyPath,
    answerOptions,
  );
  serveOpenApi(app);
  answerClientErrors(adapter, logger);
  return app;
}

/** Express with the defaults that the contract needs; set before the adapter makes the router, which reads them once. */
function createExpress(): express.Express {
  const instance = express();
  instance.enable('case sensitive routing');
  instance.enable('strict routing');
  instance.disable('x-powered-by');
  instance.disable('etag'); // it would hash every body
  // Only an operation that has an ETag answers 304 (`adapter.ts`); Express would answer it to any `If-None-Match: *`.
  Object.defineProperty(instance.request, 'fresh', { value: false });
  instance.set('query parser', parseQuery);
  return instance;
}

/**
 * The headers of helmet and CORS, and that what a key may see is not for caches in between. What is no page needs fewer:
 * nothing may frame it, or be loaded by it.
 */
function fixedHeaders(): RequestHandler {
  const ofPages = headersBy({
    contentSecurityPolicy: {
      // Whether this is https is for the proxy in front to say.
      directives: { 'upgrade-insecure-requests': null },
    },
    strictTransportSecurity: false,
  });
  const ofData = headersBy({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    frameguard: { action: 'deny' },
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
  return ({ url }, response, next) => {
    for (const [name, value] of url.startsWith('/docs') ? ofPages : ofData) response.setHeader(name, value);
    next();
  };
}

/** They are the same for every answer, so helmet sets them once, on an answer that nobody gets. */
function headersBy(options: HelmetOptions): (readonly [name: string, value: string])[] {
  const request = new IncomingMessage(new Socket());
  const model = new ServerResponse(request);
  helmet(options)(request, model, () => undefined);
  const headers = { ...model.getHeaders(), ...CORS_HEADERS, 'Cache-Control': 'no-store' };
  return Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
}
