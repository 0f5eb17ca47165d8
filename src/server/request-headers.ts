import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../problems/problem.js';

/** Responds 400 `malformed_request` to headers that Node.js accepts, but that are ambiguous. */
export function validateRequestHeaders(request: Request, _response: Response, next: NextFunction): void {
  const detail = findHeaderError(request);
  next(detail && new Problem('malformed_request', { detail }));
}

/** What is ambiguous in the headers of a request; undefined: nothing. */
export function findHeaderError({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  // RFC 9112, section 3.2
  if (hosts > 1 || (hosts === 0 && httpVersion !== '1.0'))
    return 'The request must have exactly one Host header';
  // RFC 9112, section 6.1. Node.js would not decode a body in `gzip, chunked`.
  const { 'transfer-encoding': coding } = headers;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'The only supported transfer coding is chunked';
  return undefined;
}
