import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { AnyRequest } from '../../platform/server/request-end.js';
import { RequestLog } from '../../platform/server/request-log.js';
import { Env } from '../../platform/config/env.js';
import { routeOf } from '../../page-model/parts.js';
import { requestedKey, visitedKey } from './copy.js';
import { DocumentCache } from './document-cache.js';
import { encodingFor, sendRepresentation } from './send-content.js';

/**
 * Responds to visitors from the cache, before Express, its middleware, the router and the guards. This takes 33 µs of CPU time
 * for a page of 30 kB instead of 53 µs.
 */
@Injectable()
export class CacheHits {
  constructor(
    private readonly cache: DocumentCache,
    private readonly log: RequestLog,
    private readonly env: Env,
  ) {}

  /** Responds if the path is the path of a copy. Express handles all other requests and spellings of the path. */
  readonly respond = (request: AnyRequest, response: ServerResponse): boolean => {
    const { url = '', method, domain } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const visited = visitedKey(path, this.env.HOME_PAGE, domain?.domain);
    // A preview shows other content. All other parameters except the language are ignored.
    if (visited === undefined || (end >= 0 && url.includes('preview', end))) return false;
    const copy = this.cache.ready(requestedKey(visited, url));
    const representation = copy?.content.peek(encodingFor(request));
    if (!copy || !representation) return false;
    const id = randomUUID();
    this.cache.counts.hits += 1;
    this.log.watch(Object.assign(request, { id, route: path === '/' ? path : routeOf(copy.part) }), response);
    sendRepresentation(request, response, 200, copy.content, representation, id);
    return true;
  };
}
