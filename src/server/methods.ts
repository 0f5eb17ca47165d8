import type { Application, NextFunction, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { Problem } from '../problems/problem.js';
import { isPreflight, preflightHeaders } from './cors.js';

/** The types that a PATCH takes (RFC 5789, section 3.1). */
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';

/** Answers OPTIONS on every path that has routes, without a key: what a path has is in the OpenAPI document. */
export function answerOptions(request: Request, response: Response, next: NextFunction): void {
  const allowed = request.method === 'OPTIONS' ? allowedMethods(request.app, request.path) : [];
  if (allowed.length === 0) return next();
  response.status(204).set('Allow', allowed.join(', '));
  if (allowed.includes('PATCH')) response.set('Accept-Patch', ACCEPT_PATCH);
  if (isPreflight(request)) response.set(preflightHeaders(allowed));
  response.end();
}

/** The last handler: 404 `not_found` for an unknown path, 405 `method_not_allowed` with `Allow` for an unknown method. */
export function refuseUnknownRoute(request: Request, _response: Response, next: NextFunction): void {
  const allowed = allowedMethods(request.app, request.path);
  if (allowed.length === 0)
    return next(new Problem('not_found', { detail: 'There is no such path; /docs lists all paths' }));
  const list = allowed.join(', ');
  next(new Problem('method_not_allowed', { detail: `The path supports ${list}`, headers: { Allow: list } }));
}

/** The methods that the routes of a path have, as `Allow` lists them (RFC 9110, section 10.2.1); none: no such path. */
export function allowedMethods(app: Application, path: string): string[] {
  const methods = new Set(
    routesOf(app)
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method),
  );
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].toSorted();
}

interface Route {
  pattern: RegExp;
  method: string;
}

const known = new WeakMap<Application, Route[]>();

/** The routes of an app, which no longer change once it serves; matched as its router matches (see `createExpress`). */
function routesOf(app: Application): Route[] {
  const found = known.get(app);
  if (found) return found;
  const routes = app.router.stack.flatMap(({ route }) => {
    if (!route) return [];
    const { regexp: pattern } = pathToRegexp(route.path, { sensitive: true, trailing: false });
    return route.stack.map(({ method }) => ({ pattern, method: method.toUpperCase() }));
  });
  known.set(app, routes);
  return routes;
}
