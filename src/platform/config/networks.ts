import { BlockList, isIP } from 'node:net';

/**
 * Reads addresses and networks, such as `192.0.2.7` and `2001:db8::/32`.
 * @returns undefined if one is malformed
 */
export function parseNetworks(networks: string[]): BlockList | undefined {
  const list = new BlockList();
  return networks.every((network) => add(network.trim(), list)) ? list : undefined;
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
