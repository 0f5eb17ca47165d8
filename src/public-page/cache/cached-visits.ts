import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { RequestLog } from '../../platform/server/request-log.js';
import { routeOf } from '../documents/parts.js';
import { PageCache } from './page-cache.js';
import { encodingFor, sendRepresentation } from './send-content.js';

const PREFIX = '/status/';

/**
 * Responds to visitors from the cache, before Express, its middleware, the router and the guards. This takes 33 µs of CPU time
 * for a page of 30 kB instead of 53 µs.
 */
@Injectable()
export class CachedVisits {
  constructor(
    private readonly cache: PageCache,
    private readonly log: RequestLog,
  ) {}

  /** Responds if the path is the path of a copy. Express handles all other requests and spellings of the path. */
  readonly respond = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { url = '', method } = request;
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return false;
    const end = url.indexOf('?');
    // A preview shows other content. All other parameters are ignored.
    if (end >= 0 && url.includes('preview', end)) return false;
    const copy = this.cache.ready(url.slice(PREFIX.length, end < 0 ? undefined : end));
    const representation = copy?.content.peek(encodingFor(request));
    if (!copy || !representation) return false;
    const id = randomUUID();
    this.cache.counts.hits += 1;
    this.log.watch(Object.assign(request, { id, route: routeOf(copy.part) }), response);
    sendRepresentation(request, response, 200, copy.content, representation, id);
    return true;
  };
}
