import { parse } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';

/** `decodeURIComponent`, but what cannot be decoded stays as it is, for validation to refuse by name. */
function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The query as Express gives it to handlers: a repeated parameter becomes an array, nothing is left out or nested. */
export function parseQuery(query: string): Record<string, string | string[] | undefined> {
  return parse(query, '&', '=', { decodeURIComponent: decodeLenient, maxKeys: 0 });
}

/**
 * A path whose percent-encoding cannot be decoded would end in the router, before the key is looked at.
 * Taken literally, it gets the answer that any other wrong path gets, in the same order of checks.
 */
export function escapeUndecodablePath(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...query] = request.url.split('?');
  if (path.includes('%') && decodeLenient(path) === path) {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
}

/**
 * A request target as a path and query (RFC 9112, section 3.2). Express would read the others in its own ways, and
 * answer those that it cannot read by itself.
 */
export function originForm(target: string): string {
  const path = target.startsWith('/') ? target : absoluteToOriginForm(target);
  return path.replaceAll('\\', '%5C').replaceAll('#', '%23');
}

function absoluteToOriginForm(target: string): string {
  try {
    const { pathname, search } = new URL(target);
    return pathname.startsWith('/') ? pathname + search : '/*';
  } catch {
    return '/*'; // a path that there is not
  }
}
