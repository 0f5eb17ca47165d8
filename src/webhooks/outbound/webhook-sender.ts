import { Inject, Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'undici';
import { readVersion } from '../../platform/config/project-files.js';
import { NetworkGuard } from '../../platform/network/network-guard.js';
import { HttpAttempt, type HttpResponse } from '../../platform/network/http-attempt.js';
import { loadUndici } from '../../platform/network/load-undici.js';

export type { HttpResponse as WebhookResponse } from '../../platform/network/http-attempt.js';

/** Connections of one process to an origin, which many endpoints can share. The channel sends no more requests at a time. */
export const MAX_CONNECTIONS = 100;

/** Origins with open connections. */
const MAX_ORIGINS = 128;

/** Maximum time for which an idle connection is kept, even if the endpoint offers more. The default is 4 seconds. */
const MAX_IDLE_MS = 30_000;

/** Issuers of certificates in PEM format, for tests. */
export const WEBHOOK_CA = Symbol('WEBHOOK_CA');

/** Sends requests to webhook endpoints, through the {@link NetworkGuard}. Follows no redirects. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  private readonly connect: ReturnType<NetworkGuard['connector']>;
  private readonly headers = {
    'content-type': 'application/json',
    'user-agent': `status-pages/${readVersion()}`,
  };
  private isStopping = false;
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_ORIGINS,
    // Requests in flight continue.
    dispose: (pool) => void pool.close().catch(() => undefined),
  });

  constructor(guard: NetworkGuard, @Optional() @Inject(WEBHOOK_CA) ca?: string) {
    this.connect = guard.connector(ca);
  }

  /** Closes the connections after their requests. Later requests, of deliveries in flight, do not keep theirs. */
  onApplicationShutdown(): void {
    this.isStopping = true;
    this.pools.clear();
  }

  /**
   * Posts JSON. Never throws. The result is known within 16 seconds.
   * @param signal aborts the attempt
   */
  async post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<HttpResponse> {
    const attempt = new HttpAttempt();
    const cancel = () => attempt.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    else this.dispatch(attempt, url, headers, body);
    try {
      return await attempt.result;
    } finally {
      signal?.removeEventListener('abort', cancel);
      if (this.isStopping) this.pools.clear();
    }
  }

  private dispatch(attempt: HttpAttempt, url: string, headers: Record<string, string>, body: string): void {
    try {
      const { origin, pathname, search } = new URL(url);
      const request = {
        method: 'POST',
        path: pathname + search,
        headers: { ...headers, ...this.headers },
        body,
      };
      this.poolOf(origin).dispatch(request, attempt);
    } catch (error) {
      attempt.fail(error);
    }
  }

  private poolOf(origin: string): Pool {
    const found = this.pools.get(origin);
    if (found) return found;
    const { connect } = this;
    // An attempt has its own timeouts.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, keepAliveMaxTimeout: MAX_IDLE_MS };
    const pool = new (loadUndici().Pool)(origin, { connect, connections: MAX_CONNECTIONS, ...timeouts });
    this.pools.set(origin, pool);
    return pool;
  }
}
