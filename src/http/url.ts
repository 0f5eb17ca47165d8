import { parse } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';

/** `decodeURIComponent`, but what cannot be decoded stays as it is, for validation to refuse by name. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The query as Express gives it to handlers: a repeated parameter becomes an array, nothing is left out or nested. */
export function parseQuery(query: string): Record<string, string | string[] | undefined> {
  return parse(query, '&', '=', { decodeURIComponent: decode, maxKeys: 0 });
}

/**
 * A path whose percent-encoding cannot be decoded would end in the router, before the key is looked at.
 * Taken literally, it gets the answer that any other wrong path gets, in the same order of checks.
 */
export function acceptAnyPath(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...query] = request.url.split('?');
  if (path.includes('%') && decode(path) === path) {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
}
