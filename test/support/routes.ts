import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiKeyGuard } from '../../src/platform/auth/api-key.guard.js';
import { ApiKeyAuthenticator } from '../../src/platform/auth/api-key-authenticator.js';
import { ScopeGuard } from '../../src/platform/auth/scope.guard.js';
import { ProblemFilter } from '../../src/platform/problems/problem.filter.js';
import { Replicas } from '../../src/platform/database/replicas.js';
import { RateLimit } from '../../src/platform/server/rate-limit.js';
import { ErrorLog } from '../../src/platform/logging/error-log.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';

/** Every route of the server, from its router. */
export function routesOf(app: NestExpressApplication): { method: string; path: string }[] {
  return app
    .getHttpAdapter()
    .getInstance()
    .router.stack.flatMap(({ route }) =>
      route ? route.stack.map(({ method }) => ({ method: method.toUpperCase(), path: route.path })) : [],
    );
}

@Controller('forgotten')
class ForgottenController {
  @Get()
  get(): { data: string } {
    return { data: 'secret' };
  }
}

/**
 * A server with the guards of the real one, on its keys, and a handler without an access decorator.
 * (The real server registers the bearer strategy with passport in this process.)
 */
export async function bootWithForgottenRoute(
  real: INestApplication,
): Promise<{ url: string; close: () => Promise<void> }> {
  @Module({
    imports: [PassportModule],
    controllers: [ForgottenController],
    providers: [
      { provide: LOGGER, useValue: real.get(LOGGER) },
      { provide: ErrorLog, useValue: real.get(ErrorLog) },
      { provide: ApiKeyAuthenticator, useValue: real.get(ApiKeyAuthenticator) },
      { provide: RateLimit, useValue: real.get(RateLimit) },
      { provide: Replicas, useValue: real.get(Replicas) },
      { provide: APP_GUARD, useClass: ApiKeyGuard },
      { provide: APP_GUARD, useClass: ScopeGuard },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ForgetfulModule {}
  const app = await NestFactory.create(ForgetfulModule, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl(), close: () => app.close() };
}
