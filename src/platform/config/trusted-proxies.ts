import type { BlockList } from 'node:net';
import { parseNetworks } from './networks.js';

/** Proxies in front of the server: their number, or their addresses. */
export type TrustedProxies = number | BlockList;

/** Maximum number of proxies in `TRUST_PROXY`. */
export const MAX_PROXIES = 32;

/** Network names, as in Express. */
const NETWORKS = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Reads a value of `TRUST_PROXY`: a number of proxies, or a list such as `loopback, 192.0.2.7, 2001:db8::/32`.
 * @returns undefined if it is neither
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) return Number(text) <= MAX_PROXIES ? Number(text) : undefined;
  return parseNetworks(text.split(',').flatMap((entry) => NETWORKS.get(entry.trim()) ?? [entry]));
}
