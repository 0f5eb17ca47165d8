import { type BlockList, isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import type { buildConnector } from 'undici';
import { Env } from '../config/env.js';
import { parseNetworks } from '../config/networks.js';
import { Dns } from './dns.js';
import { loadUndici } from './load-undici.js';

/** Maximum duration of a connection attempt, with DNS and TLS. */
const CONNECT_MS = 15_000;

/** Time after which the next address of a name is tried, if the connection is not established yet. */
const NEXT_ADDRESS_MS = 2_000;

/** Public addresses behind which clouds offer internal services: Azure's WireServer. */
const INTERNAL = new Set(['168.63.129.16']);

/** The address of an endpoint is not public, or `http:` is not allowed for it. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
}

/**
 * Prevents requests into internal networks: connects only to global unicast addresses, and to networks that the configuration allows.
 * `http:` works only for the latter.
 *
 * ```ts
 * new Pool(origin, { connect: guard.connector() });
 * ```
 *
 * The addresses of a name are checked for each connection, which then uses exactly these addresses, so that a DNS server
 * cannot replace them after the check.
 */
export abstract class GuardedNetwork {
  private readonly allowed: BlockList | undefined;

  /** @param allowedNetworks networks that are not public, separated by commas */
  constructor(
    allowedNetworks: string | undefined,
    private readonly dns: Dns,
  ) {
    this.allowed = allowedNetworks === undefined ? undefined : parseNetworks(allowedNetworks.split(','));
  }

  /** Whether an endpoint with this protocol can have this address. */
  permits(address: string, protocol: string): boolean {
    const version = isIP(address);
    if (version === 0 || address.includes('%')) return false;
    const parsed = embeddedIn(ipaddr.parse(version === 6 ? normalized(address) : address));
    const isAllowed = this.allowed?.check(parsed.toString(), parsed.kind()) ?? false;
    return isAllowed || (protocol === 'https:' && isPublic(parsed));
  }

  /**
   * Returns a connector of undici. Environment variables such as HTTPS_PROXY have no effect on it.
   * @param ca certificates of issuers, in PEM format, instead of those of Node.js
   */
  connector(ca?: string): buildConnector.connector {
    return this.connectorWith({ rejectUnauthorized: true, ...(ca !== undefined && { ca }) }, 'http:');
  }

  /**
   * Returns a connector for requests that neither send nor receive anything confidential: permits `http:` like `https:`, and any
   * certificate.
   */
  probeConnector(): buildConnector.connector {
    return this.connectorWith({ rejectUnauthorized: false }, 'https:');
  }

  /**
   * Returns the addresses of a name.
   * @throws ForbiddenAddressError if one of them is not permitted for `https:`; Error with a `code` of `node:dns`
   */
  async addressesOf(host: string, signal?: AbortSignal): Promise<string[]> {
    const [error, addresses] = await this.permittedAddressesOf(host, 'https:', signal);
    if (error) throw error;
    return addresses;
  }

  /** @param httpAs the protocol whose rule applies to `http:` */
  private connectorWith(
    tls: { rejectUnauthorized: boolean; ca?: string },
    httpAs: 'http:' | 'https:',
  ): buildConnector.connector {
    const options = {
      timeout: CONNECT_MS,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      ...tls,
    };
    let https: buildConnector.connector | undefined;
    let http: buildConnector.connector | undefined;
    return (target, callback) => {
      https ??= loadUndici().buildConnector({ ...options, lookup: this.lookupFor('https:') });
      http ??= loadUndici().buildConnector({ ...options, lookup: this.lookupFor(httpAs) });
      const { hostname, protocol } = target;
      // Node.js does not look up an address.
      const rule = protocol === 'https:' ? protocol : httpAs;
      if (isIP(hostname) !== 0 && !this.permits(hostname, rule))
        queueMicrotask(() => callback(forbidden(rule), null));
      else if (protocol === 'https:') https(target, callback);
      else http(target, callback);
    };
  }

  private lookupFor(protocol: string): LookupFunction {
    return async (host, { all }, callback) => {
      const [error, addresses] = await this.permittedAddressesOf(host, protocol);
      if (error) callback(error, []);
      else if (all === true)
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      else callback(null, addresses[0] ?? '', isIP(addresses[0] ?? ''));
    };
  }

  /** Returns the addresses of a name, or an error if they are unknown, or one of them is not permitted. */
  private async permittedAddressesOf(
    host: string,
    protocol: string,
    signal?: AbortSignal,
  ): Promise<[Error | null, string[]]> {
    try {
      const addresses = await this.dns.addressesOf(host, this.allowed !== undefined, signal);
      const isPermitted = addresses.every((address) => this.permits(address, protocol));
      return isPermitted ? [null, addresses] : [forbidden(protocol), []];
    } catch (error) {
      return [error instanceof Error ? error : new Error('unknown error'), []];
    }
  }
}

/** Guards the requests to URLs that users have entered, with the networks of WEBHOOK_ALLOWED_NETWORKS. */
@Injectable()
export class NetworkGuard extends GuardedNetwork {
  constructor({ WEBHOOK_ALLOWED_NETWORKS }: Env, dns: Dns) {
    super(WEBHOOK_ALLOWED_NETWORKS, dns);
  }
}

function forbidden(protocol: string): ForbiddenAddressError {
  return new ForbiddenAddressError(
    protocol === 'https:' ? 'the address is not public' : 'http is not allowed for this address',
  );
}

/** Without the notation `::192.0.2.1`, which ipaddr.js reads as `::ffff:192.0.2.1`. */
function normalized(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** Returns the IPv4 address in an IPv4-mapped address and in one of NAT64 (`64:ff9b::/96`), otherwise the address. */
function embeddedIn(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  return address.match(NAT64) ? new ipaddr.IPv4(address.toByteArray().slice(-4)) : address;
}

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** The part of IPv6 that is assigned to global unicast. Everything else is reserved. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is global unicast, and not one that embeds an IPv4 address, such as 6to4 and Teredo. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
  return address.range() === 'unicast' && !INTERNAL.has(address.toString());
}
