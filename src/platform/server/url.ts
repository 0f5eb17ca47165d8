import { parse } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';

/** Decodes like `decodeURIComponent`, but returns undecodable text unchanged, so that validation reports it. */
function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses a query. A repeated parameter becomes an array. All parameters are kept, and names are not interpreted as nested. */
export function parseQuery(query: string): Record<string, string | string[] | undefined> {
  return parse(query, '&', '=', { decodeURIComponent: decodeLenient, maxKeys: 0 });
}

/**
 * Escapes `%` in a path with invalid percent-encoding, on which the router would fail before the guards run. The request then
 * passes the same checks as any other request to an unknown path.
 */
export function escapeUndecodablePath(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...query] = request.url.split('?');
  if (path.includes('%') && decodeLenient(path) === path) {
    request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  }
  next();
}

/**
 * Converts a request target to origin form: path and query (RFC 9112, section 3.2). Express interprets the other forms
 * differently, and responds itself to targets that it cannot parse.
 */
export function originForm(target: string): string {
  const path = target.startsWith('/') ? target : absoluteToOriginForm(target);
  return path.replaceAll('\\', '%5C').replaceAll('#', '%23');
}

/**
 * Converts a target in absolute form. Keeps the path unchanged, because `URL` would resolve its dot segments, unlike for the
 * origin form.
 */
function absoluteToOriginForm(target: string): string {
  const [origin] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  if (origin === undefined || !URL.canParse(target)) return '/*'; // matches no route
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
