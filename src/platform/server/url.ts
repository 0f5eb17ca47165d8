import { parse } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';

/** Like `decodeURIComponent`, but returns undecodable text unchanged, so that validation reports it. */
function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parses a query: a repeated parameter becomes an array. Drops and nests nothing. */
export function parseQuery(query: string): Record<string, string | string[] | undefined> {
  return parse(query, '&', '=', { decodeURIComponent: decodeLenient, maxKeys: 0 });
}

/**
 * Escapes `%` in a path with invalid percent-encoding, on which the router would fail before the guards run. The request
 * then passes the same checks as one to any other unknown path.
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
 * differently, and responds by itself to those that it cannot parse.
 */
export function originForm(target: string): string {
  const path = target.startsWith('/') ? target : absoluteToOriginForm(target);
  return path.replaceAll('\\', '%5C').replaceAll('#', '%23');
}

/** Keeps the path as it is: `URL` would resolve its dot segments, which the other form does not. */
function absoluteToOriginForm(target: string): string {
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? [];
  if (rest === undefined || !URL.canParse(target)) return '/*'; // matches no route
  return rest.startsWith('/') ? rest : `/${rest}`;
}
