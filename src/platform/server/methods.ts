import type { Application, NextFunction, Request, Response } from 'express';
import { pathToRegexp } from 'path-to-regexp';
import { Problem } from '../problems/problem.js';
import { isPreflight, preflightHeaders } from './cors.js';

/** Media types that PATCH accepts (RFC 5789, section 3.1). */
export const ACCEPT_PATCH = 'application/json, application/merge-patch+json';

/** Responds to OPTIONS on every path that has routes. Requires no key, because the OpenAPI document is also public. */
export function handleOptions(request: Request, response: Response, next: NextFunction): void {
  const allowed = request.method === 'OPTIONS' ? allowedMethods(request.app, request.path) : [];
  if (allowed.length === 0) return next();
  response.status(204).set('Allow', allowed.join(', '));
  if (allowed.includes('PATCH')) response.set('Accept-Patch', ACCEPT_PATCH);
  if (isPreflight(request)) response.set(preflightHeaders(allowed));
  response.end();
}

/** Handles unmatched requests: 404 `not_found` for an unknown path, 405 `method_not_allowed` for an unsupported method. */
export function handleUnknownRoute(request: Request, _response: Response, next: NextFunction): void {
  const allowed = allowedMethods(request.app, request.path);
  if (allowed.length === 0)
    return next(new Problem('not_found', { detail: 'Unknown path. See /docs for all operations.' }));
  const list = allowed.join(', ');
  next(new Problem('method_not_allowed', { detail: `The path supports ${list}`, headers: { Allow: list } }));
}

/** Returns the methods of a path, as in `Allow` (RFC 9110, section 10.2.1), or an empty list if the path does not exist. */
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

/** The path of a route for paths without a route, such as `/manage/{*unknown}`. It has no methods of its own. */
const CATCH_ALL = /\{\*unknown\}$/;

const routeCache = new WeakMap<Application, Route[]>();

/** Returns the routes of an app, cached, with the options of its router (see `createExpress`). */
function routesOf(app: Application): Route[] {
  const found = routeCache.get(app);
  if (found) return found;
  const routes = app.router.stack.flatMap(({ route }) => {
    if (!route || CATCH_ALL.test(route.path)) return [];
    const { regexp: pattern } = pathToRegexp(route.path, { sensitive: true, trailing: false });
    return route.stack.map(({ method }) => ({ pattern, method: method.toUpperCase() }));
  });
  routeCache.set(app, routes);
  return routes;
}
