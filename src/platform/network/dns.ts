import { lookup as systemLookup, Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Env } from '../config/env.js';
import { parseDnsServers } from '../config/network-env.js';

/** Maximum duration of a lookup. Each server has three attempts. */
const LOOKUP_MS = 10_000;
const QUERY = { timeout: 2_000, tries: 3 };

/** Time for which the addresses of one version wait for the other version. */
const OTHER_VERSION_MS = 1_000;

/** A name that is never queried (RFC 6761, section 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/;

/** Types of records that can be queried. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;

export type RecordType = (typeof RECORD_TYPES)[number];

const QUERIES: Record<RecordType, (resolver: Resolver, name: string) => Promise<string[]>> = {
  A: async (resolver, name) => resolver.resolve4(name),
  AAAA: async (resolver, name) => resolver.resolve6(name),
  CNAME: async (resolver, name) => resolver.resolveCname(name),
  MX: async (resolver, name) => (await resolver.resolveMx(name)).map(({ exchange }) => exchange),
  NS: async (resolver, name) => resolver.resolveNs(name),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
};

/** Errors of DNS for a name that does not exist, or has no record of the type. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Queries the servers of `DNS_SERVERS`, or of the system, without the system's resolver, which occupies one of four threads until
 * a server responds, and so lets a few servers that do not respond delay all other lookups.
 */
@Injectable()
export class Dns {
  private readonly servers: string[] | undefined;

  constructor({ DNS_SERVERS }: Env) {
    this.servers = DNS_SERVERS === undefined ? undefined : parseDnsServers(DNS_SERVERS);
  }

  /**
   * Returns all addresses of a name. The system's resolver also knows `/etc/hosts`. Therefore it
   * resolves localhost, and internal names if `hasInternalNames` is set and `DNS_SERVERS` is not.
   * @throws Error with a `code` of `node:dns` if there are none, or if DNS has failed
   */
  async addressesOf(host: string, hasInternalNames: boolean, signal?: AbortSignal): Promise<string[]> {
    if (this.servers) return this.queryAddresses(host, signal);
    if (LOCALHOST.test(host)) return /^localhost\.?$/.test(host) ? lookUp(host, signal) : ['127.0.0.1'];
    try {
      return await this.queryAddresses(host, signal);
    } catch (error) {
      const isUnknown = isNotFound(error) && hasInternalNames;
      if (isUnknown || codeOf(error) === 'ECONNREFUSED') return lookUp(host, signal);
      throw error;
    }
  }

  /**
   * Returns the values of the TXT records of a name. Follows aliases. A value of several strings is one value (RFC 7208, section
   * 3.3).
   * @throws Error with a `code` of `node:dns`, also if there are none, see {@link isNotFound}
   */
  async textsOf(name: string, signal?: AbortSignal): Promise<string[]> {
    return this.recordsOf(name, 'TXT', signal);
  }

  /**
   * Returns the values of the records of a name. Follows aliases, unless the type is `CNAME`. The value of `MX` is the host.
   * @throws Error with a `code` of `node:dns`, also if there are none, see {@link isNotFound}
   */
  async recordsOf(name: string, type: RecordType, signal?: AbortSignal): Promise<string[]> {
    if (LOCALHOST.test(name)) throw Object.assign(new Error('no records'), { code: 'ENOTFOUND' });
    const resolver = this.createResolver();
    const cancel = () => resolver.cancel();
    const timer = setTimeout(cancel, LOOKUP_MS);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await QUERIES[type](resolver, name);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  private createResolver(): Resolver {
    const resolver = new Resolver(QUERY);
    if (this.servers) resolver.setServers(this.servers);
    return resolver;
  }

  private async queryAddresses(host: string, signal?: AbortSignal): Promise<string[]> {
    const resolver = this.createResolver();
    const cancel = () => resolver.cancel();
    const timers = [setTimeout(cancel, LOOKUP_MS)];
    signal?.addEventListener('abort', cancel, { once: true });
    const waitForOther = (addresses: string[]) => {
      timers.push(setTimeout(cancel, OTHER_VERSION_MS));
      return addresses;
    };
    const results = await Promise.allSettled([
      resolver.resolve4(host).then(waitForOther),
      resolver.resolve6(host).then(waitForOther),
    ]);
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    const reasons: unknown[] = results.flatMap((one) => ('reason' in one ? [one.reason] : []));
    throw (
      reasons.find((reason) => !isNotFound(reason)) ??
      reasons[0] ??
      Object.assign(new Error('no addresses'), { code: 'ENODATA' })
    );
  }
}

/** Returns whether DNS has responded that a name does not exist, or has no record of the type. */
export function isNotFound(error: unknown): boolean {
  return NOT_FOUND.has(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Asks the system, whose lookup cannot be canceled. If `signal` is aborted, does not wait for it. */
async function lookUp(host: string, signal?: AbortSignal): Promise<string[]> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener(
      'abort',
      () => reject(Object.assign(new Error('canceled'), { code: 'ECANCELLED' })),
      {
        once: true,
      },
    );
  });
  const found = await Promise.race([systemLookup(host, { all: true }), aborted]);
  return found.map(({ address }) => address);
}
