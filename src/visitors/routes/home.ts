import type { INestApplication } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Env } from '../../platform/config/env.js';
import { PageResponder } from './page-responder.js';

/** Serves the page of `HOME_PAGE` at `/`. If it is unset, `/` has no route, so every method returns 404. */
export function serveHomePage(app: INestApplication): void {
  const { HOME_PAGE } = app.get(Env);
  if (HOME_PAGE === undefined) return;
  const visitors = app.get(PageResponder);
  app
    .getHttpAdapter()
    .get('/', (request: Request, response: Response) =>
      visitors.respond(request, response, { kind: 'overview' }, HOME_PAGE),
    );
}
