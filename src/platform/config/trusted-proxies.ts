import { BlockList, isIP } from 'node:net';

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
  const list = new BlockList();
  const networks = text.split(',').flatMap((entry) => NETWORKS.get(entry.trim()) ?? [entry.trim()]);
  return networks.every((network) => add(network, list)) ? list : undefined;
}

/** Adds an address or a network to a list. Returns false if it is malformed. */
function add(network: string, list: BlockList): boolean {
  const [address = '', prefix, ...rest] = network.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (prefix === undefined) list.addAddress(address, family);
  else if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (version === 4 ? 32 : 128)) return false;
  else list.addSubnet(address, Number(prefix), family);
  return true;
}
