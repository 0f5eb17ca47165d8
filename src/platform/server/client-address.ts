import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { MAX_PROXIES, parseTrustedProxies, type TrustedProxies } from '../config/trusted-proxies.js';
import { LOGGER } from '../logging/logging.module.js';

/** An address in `X-Forwarded-For`: IPv4 with or without a port, IPv6 with or without brackets and a port. */
const FORWARDED =
  /^(?:\[([0-9a-f:.]{2,45})\](?::\d{1,5})?|(\d[\d.]{6,14})(?::\d{1,5})?|([0-9a-f:.]{2,45}))$/i;
const MAX_LENGTH = 64;

/**
 * Determines client addresses behind the proxies in `TRUST_PROXY`. Express's own setting would also trust `X-Forwarded-Host`.
 */
@Injectable()
export class ClientAddress {
  private readonly proxies: TrustedProxies | undefined;
  private hasWarned = false;

  constructor(
    { TRUST_PROXY }: Env,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.proxies = TRUST_PROXY === undefined ? undefined : parseTrustedProxies(TRUST_PROXY);
  }

  /**
   * Returns the client address of a request, or an empty string if its connection is already closed. It is the last address in
   * `X-Forwarded-For` that does not belong to a trusted proxy. Malformed entries, and all entries to the left of them, are
   * ignored.
   */
  of({ socket, headers }: IncomingMessage): string {
    let client = socket.remoteAddress ?? '';
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return client;
    if (this.proxies === undefined) this.warnOnce();
    let rest = Array.isArray(forwarded) ? forwarded.join() : forwarded;
    for (let hop = 0; hop < MAX_PROXIES && rest !== '' && this.trusts(client, hop); hop += 1) {
      const comma = rest.lastIndexOf(',');
      const address = addressIn(rest.slice(comma + 1));
      if (address === undefined) break;
      client = address;
      rest = rest.slice(0, Math.max(0, comma));
    }
    return client;
  }

  private trusts(address: string, hop: number): boolean {
    if (this.proxies === undefined || typeof this.proxies === 'number') return hop < (this.proxies ?? 0);
    const [ip = ''] = withoutMapping(address).split('%');
    const version = isIP(ip);
    return version !== 0 && this.proxies.check(ip, version === 4 ? 'ipv4' : 'ipv6');
  }

  private warnOnce(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      'received X-Forwarded-For, but TRUST_PROXY is not set; limits and logs use the connection address. Set TRUST_PROXY to the number of proxies, or to 0 without a proxy',
    );
  }
}

declare global {
  namespace Express {
    interface Request {
      /** Client network, see {@link clientNetworkOf}. */
      readonly clientNetwork: string;
    }
  }
}

/** Adds `clientNetwork` to the requests of an application. It is determined only if it is read. */
export function defineClientNetwork(request: object, address: ClientAddress): void {
  Object.defineProperty(request, 'clientNetwork', {
    get(this: IncomingMessage) {
      return clientNetworkOf(address.of(this));
    },
  });
}

function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  if (text.length > MAX_LENGTH) return undefined;
  const [, bracketed, ipv4, ipv6] = FORWARDED.exec(text) ?? [];
  const address = bracketed ?? ipv4 ?? ipv6 ?? '';
  return isIP(address) === 0 ? undefined : withoutMapping(address);
}

/** Returns an IPv4 address on a dual-stack socket (`::ffff:192.0.2.7`) as IPv4, and any other address unchanged. */
export function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/**
 * Returns the address that counts as one client: an IPv4 address, or the /64 network of an IPv6 address. A single host has at
 * least a /64 (RFC 6177), and could otherwise use another address for each request.
 */
export function clientNetworkOf(address: string): string {
  const ip = withoutMapping(address);
  if (!ip.includes(':')) return ip;
  const [front = [], back = []] = ip.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
