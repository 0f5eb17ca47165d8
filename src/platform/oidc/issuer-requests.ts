import { Injectable } from '@nestjs/common';
import type { CustomFetch } from 'openid-client';
import { readVersion } from '../config/project-files.js';
import { loadUndici } from '../network/load-undici.js';
import { NetworkGuard } from '../network/network-guard.js';

/** Maximum size of a response: the metadata of an issuer, its keys, or tokens. */
const MAX_BYTES = 128 * 1024;

/** Maximum duration of a request, in seconds, with DNS, connection and TLS. */
export const REQUEST_SECONDS = 8;

/**
 * Sends requests to issuers of OpenID Connect, through the {@link NetworkGuard}. Follows no redirects, and keeps no connections,
 * because people rarely sign in.
 */
@Injectable()
export class IssuerRequests {
  private readonly connect: ReturnType<NetworkGuard['connector']>;

  constructor(guard: NetworkGuard) {
    this.connect = guard.connector();
  }

  /** `fetch` for openid-client. @throws Error if there is no response in time, or if it is too large */
  readonly fetch: CustomFetch = async (url, { method, headers, body, signal }) => {
    const { origin, pathname, search } = new URL(url);
    const { connect } = this;
    const client = new (loadUndici().Client)(origin, { connect, maxResponseSize: MAX_BYTES });
    try {
      const response = await client.request({
        method: method === 'POST' ? 'POST' : 'GET',
        path: pathname + search,
        headers: { ...headers, 'user-agent': `status-pages/${readVersion()}` },
        body: textOf(body),
        signal: AbortSignal.any([AbortSignal.timeout(REQUEST_SECONDS * 1_000), ...(signal ? [signal] : [])]),
      });
      const bytes = await response.body.bytes();
      const type = response.headers['content-type'];
      return new Response(WITHOUT_BODY.has(response.statusCode) ? null : new Uint8Array(bytes), {
        status: response.statusCode,
        headers: typeof type === 'string' ? { 'content-type': type } : {},
      });
    } finally {
      void client.destroy();
    }
  };
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

function textOf(body: unknown): string | null {
  if (typeof body === 'string') return body;
  return body instanceof URLSearchParams ? body.toString() : null;
}
