import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problems.js';

/**
 * 400 for a body in a transfer coding other than chunked, such as `gzip, chunked`: node decodes only the latter
 * (RFC 9112, section 6.1).
 */
export function requireChunked(request: Request, _response: Response, next: NextFunction): void {
  const { 'transfer-encoding': coding } = request.headers;
  const valid = coding === undefined || coding.toLowerCase() === 'chunked';
  const detail = 'The only transfer coding is chunked';
  next(valid ? undefined : new Problem('malformed_request', { detail }));
}

/** 400 for an HTTP/1.1 request without `Host`, or any with several (RFC 9112, section 3.2). */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  const valid = hosts.length === 1 || (hosts.length === 0 && request.httpVersion === '1.0');
  next(valid ? undefined : new Problem('malformed_request', { detail: 'There must be one Host header' }));
}
