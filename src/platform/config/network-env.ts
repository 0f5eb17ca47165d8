import { isIP, isIPv4, isIPv6 } from 'node:net';
import { Satisfies } from './env-rules.js';
import { MailEnv } from './mail-env.js';
import { parseNetworks } from './networks.js';

/** Variables of requests to URLs that users have entered, such as webhook endpoints. */
export abstract class NetworkEnv extends MailEnv {
  /**
   * Networks that webhooks can reach even though they are not public, separated by commas. Only endpoints in them can use
   * `http:`.
   */
  @Satisfies(
    (text) => typeof text === 'string' && parseNetworks(text.split(',')) !== undefined,
    'must be a list of networks separated by commas, such as 10.1.0.0/16,fd00:1::/32',
  )
  WEBHOOK_ALLOWED_NETWORKS?: string = undefined;

  /** DNS servers for names in such URLs, separated by commas. If unset, the servers of the system. */
  @Satisfies(
    (text) => typeof text === 'string' && parseDnsServers(text).every(isDnsServer),
    'must be a list of IP addresses separated by commas, with or without a port, such as 10.0.0.2,[fd00::2]:5353',
  )
  DNS_SERVERS?: string = undefined;
}

/** Returns the servers of `DNS_SERVERS`. */
export function parseDnsServers(text: string): string[] {
  return text.split(',').map((server) => server.trim());
}

const SERVER = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\]):(\d{1,5})$/;

/** Node.js does not check the port, and crashes if it is 0. */
function isDnsServer(server: string): boolean {
  if (isIP(server) !== 0) return !server.includes('%');
  const [, ipv4 = '', ipv6 = '', port] = SERVER.exec(server) ?? [];
  return (isIPv4(ipv4) || isIPv6(ipv6)) && Number(port) >= 1 && Number(port) <= 65_535;
}
