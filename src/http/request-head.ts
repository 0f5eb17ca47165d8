import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problems.js';

/** 400 for an HTTP/1.1 request without `Host`, or any with several (RFC 9112, section 3.2). */
export function requireHost(request: Request, _response: Response, next: NextFunction): void {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  const valid = hosts.length === 1 || (hosts.length === 0 && request.httpVersion === '1.0');
  next(valid ? undefined : new Problem('malformed_request', { detail: 'There must be one Host header' }));
}
