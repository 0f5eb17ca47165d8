import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import { ApiKeyAuthenticator } from './platform/auth/api-key-authenticator.js';
import { type Environment, EnvironmentModule } from './platform/config/config.module.js';
import { Env } from './platform/config/env.js';
import { hasConsole } from './platform/config/public-url.js';
import { Admission } from './platform/server/admission.js';
import { ServerExpressAdapter } from './platform/server/express-adapter.js';
import { ClientAddress, defineClientNetwork } from './platform/server/client-address.js';
import { handleClientErrors } from './platform/server/client-errors.js';
import { DryRuns } from './platform/dry-run/dry-runs.js';
import { MemberSessions } from './members/member-sessions.js';
import { handleOptions } from './platform/server/methods.js';
import { serveOpenApi } from './platform/openapi/document.js';
import { DomainDirectory } from './domains/domain-directory.js';
import { CacheHits } from './visitors/cache/cache-hits.js';
import { findDomainIn, locateDomain } from './visitors/cache/locate-domain.js';
import { Redirects } from './visitors/cache/redirects.js';
import { McpModule } from './mcp/mcp.module.js';
import { ToolCatalogue } from './mcp/tool-catalogue.js';
import { jsonSchemas } from './platform/openapi/json-schemas.js';
import { sentWebhooks } from './webhooks/content/openapi-webhooks.js';
import { serveHomePage } from './visitors/routes/home.js';
import { requestId } from './platform/server/request-id.js';
import { RequestEnds } from './platform/server/request-end.js';
import { RequestLog } from './platform/server/request-log.js';
import { responseHeaders } from './platform/server/response-headers.js';
import { UnreadBytes } from './platform/server/unread-bytes.js';
import { escapeUndecodablePath, parseQuery } from './platform/server/url.js';
import { Tracing } from './platform/tracing/tracing.js';
import { NestLogger } from './platform/logging/logger.js';
import { LOGGER } from './platform/logging/logging.module.js';

/**
 * Creates the application for the server and the tests: the modules, the Express settings and the middleware.
 *
 *     const app = await createApp();
 *     await app.listen(3000);
 *
 * @param environment the environment variables, or a configuration
 * @param module the root module: AppModule, or a module that imports it
 * @throws EnvError for an invalid environment variable
 */
export async function createApp(
  environment: Environment = process.env,
  module: Type = AppModule,
): Promise<NestExpressApplication> {
  const root = { module, imports: [EnvironmentModule.of(environment), ...(await consoleOf(environment))] };
  const adapter = createAdapter();
  return setUp(await NestFactory.create<NestExpressApplication>(root, adapter, OPTIONS), adapter);
}

/** Returns the modules of the console, if there is one. Otherwise its code is not even loaded. */
async function consoleOf(environment: Environment): Promise<Type[]> {
  return hasConsole(environment) ? [(await import('./manage/console/console.module.js')).ConsoleModule] : [];
}

/** Options of the application. */
export const OPTIONS = {
  bodyParser: false, // InputGuard reads the body after authentication
  logger: false, // set below; main.ts prints a startup error
  abortOnError: false,
} as const;

/** Creates the HTTP adapter of the application. */
export function createAdapter(): ServerExpressAdapter {
  return new ServerExpressAdapter(createExpress());
}

/** Adds the middleware and the documents to an application that was created with this adapter. */
export function setUp(app: NestExpressApplication, adapter: ServerExpressAdapter): NestExpressApplication {
  const logger = app.get<Logger>(LOGGER);
  app.useLogger(new NestLogger(logger));
  app.use(requestId, app.get(RequestLog).middleware, responseHeaders(), escapeUndecodablePath, handleOptions);
  const redirects = app.get(Redirects);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!redirects.respond(request, response, request.id)) next();
  });
  app.use(app.get(DryRuns).middleware);
  const findDomain = findDomainIn(app.get(DomainDirectory), app.get(Env));
  adapter.locate = (request) => locateDomain(request, findDomain);
  adapter.respondFirst = app.get(CacheHits).respond;
  const admission = app.get(Admission);
  adapter.unread = app.get(UnreadBytes);
  const authenticator = app.get(ApiKeyAuthenticator);
  const sessions = app.get(MemberSessions);
  admission.tenantOf = ({ headers }) =>
    authenticator.organizationOf(headers.authorization) ?? sessions.organizationOf(headers.cookie) ?? '';
  adapter.admit = admission.admit;
  defineClientNetwork(adapter.getInstance().request, app.get(ClientAddress));
  const tracing = app.get(Tracing);
  if (tracing.isOn) app.useGlobalGuards(tracing); // after the guards of AppModule
  serveOpenApi(app, sentWebhooks());
  app.get(ToolCatalogue).schemasOf = (dtos) => jsonSchemas(app, McpModule, dtos);
  serveHomePage(app);
  handleClientErrors(adapter, logger, app.get(RequestEnds), app.get(RequestLog));
  return app;
}

/** Creates Express with its settings. The adapter then creates the router, which reads them only once. */
function createExpress(): express.Express {
  const instance = express();
  instance.enable('case sensitive routing');
  instance.enable('strict routing');
  instance.disable('x-powered-by');
  instance.disable('etag'); // Express would hash every body
  // Only operations with an ETag respond with 304 (`platform/server/etag.ts`). Express would also respond with 304 to any
  // `If-None-Match: *`.
  Object.defineProperty(instance.request, 'fresh', { value: false });
  instance.set('query parser', parseQuery);
  return instance;
}
