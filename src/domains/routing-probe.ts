import { Inject, Injectable, Optional } from '@nestjs/common';
import { readVersion } from '../platform/config/project-files.js';
import { HttpAttempt, type HttpResponse } from '../platform/network/http-attempt.js';
import { loadUndici } from '../platform/network/load-undici.js';
import { NetworkGuard } from '../platform/network/network-guard.js';
import { textOfError } from '../platform/network/send-error.js';
import { ROUTING_PATH, RoutingToken } from './routing-token.js';

const ATTEMPT_MS = 5_000;

/** Number of addresses that are stored. */
export const MAX_ADDRESSES = 10;

/** Ports of `http:` and `https:`, for tests. */
export const ROUTING_PORTS = Symbol('ROUTING_PORTS');

/** Destination of a domain. */
export interface Routing {
  /** Empty if DNS has no address, or if one of them is not public. */
  addresses: string[];
  /** Whether a request to the domain arrives at this instance. */
  reaches_us: boolean;
  /** Why it does not; null if it does. */
  error: string | null;
}

/**
 * Finds out where a domain leads: its addresses, and whether a request to it reaches this instance, also through proxies. Connects only
 * to public addresses and to WEBHOOK_ALLOWED_NETWORKS.
 */
@Injectable()
export class RoutingProbe {
  private readonly connect: ReturnType<NetworkGuard['probeConnector']>;

  constructor(
    private readonly guard: NetworkGuard,
    private readonly token: RoutingToken,
    @Optional() @Inject(ROUTING_PORTS) private readonly ports = { http: 80, https: 443 },
  ) {
    this.connect = guard.probeConnector();
  }

  /** Takes at most 25 seconds. Never throws. */
  async probe(domain: string, signal?: AbortSignal): Promise<Routing> {
    let addresses: string[];
    try {
      addresses = (await this.guard.addressesOf(domain, signal)).toSorted().slice(0, MAX_ADDRESSES);
    } catch (error) {
      return { addresses: [], reaches_us: false, error: textOfError(error) };
    }
    const { http, https } = this.ports;
    const plain = await this.request(`http://${domain}:${http}`, domain, signal);
    if (plain === null) return { addresses, reaches_us: true, error: null };
    // A proxy can redirect to https, and a firewall can close the port.
    const secure = await this.request(`https://${domain}:${https}`, domain, signal);
    if (secure === null) return { addresses, reaches_us: true, error: null };
    const { reason } = plain.hasResponded && !secure.hasResponded ? plain : secure;
    return { addresses, reaches_us: false, error: reason };
  }

  /** Requests the token of the domain. Returns null if it is right. */
  private async request(origin: string, domain: string, signal?: AbortSignal): Promise<Failure | null> {
    const pool = new (loadUndici().Pool)(origin, {
      connect: this.connect,
      connections: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const attempt = new HttpAttempt(ATTEMPT_MS);
    const cancel = () => attempt.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      const headers = { host: domain, 'user-agent': `status-pages/${readVersion()}` };
      pool.dispatch({ method: 'GET', path: ROUTING_PATH, headers }, attempt);
      return this.failureOf(await attempt.result, domain);
    } catch (error) {
      return { reason: textOfError(error), hasResponded: false };
    } finally {
      signal?.removeEventListener('abort', cancel);
      void pool.destroy().catch(() => undefined);
    }
  }

  private failureOf({ status_code, error, response }: HttpResponse, domain: string): Failure | null {
    const isRedirect = status_code !== null && status_code >= 300 && status_code < 400;
    const hasResponded = status_code !== null && !isRedirect;
    if (error !== null) return { reason: error, hasResponded };
    const { host = '', token = '' } = parse(response ?? '');
    if (!this.token.isOf(host, token)) return { reason: 'another server responds', hasResponded };
    return host === domain ? null : { reason: 'a proxy replaces the Host header', hasResponded };
  }
}

/** Why a request to a domain has not reached this instance. */
interface Failure {
  reason: string;
  /** Whether a server has responded with something else than a redirect. */
  hasResponded: boolean;
}

/** Returns the host and the token in a response of {@link ROUTING_PATH}. */
function parse(text: string): { host?: string; token?: string } {
  const [, host, token] =
    /^\{"data":\{"host":"([\w.-]{1,253})","token":"([\w-]{1,100})"\}\}$/.exec(text) ?? [];
  return { ...(host !== undefined && { host }), ...(token !== undefined && { token }) };
}
