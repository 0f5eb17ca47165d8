import { isIP, isIPv4, isIPv6 } from 'node:net';
import { IsIn } from 'class-validator';
import { Satisfies } from './env-rules.js';
import { MailEnv } from './mail-env.js';
import { parseNetworks } from './networks.js';

const CHECK_MODES = ['on', 'off'] as const;

const MAX_CANARIES = 10;

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

  /** Whether this process runs checks of monitors, if it delivers events. */
  @IsIn(CHECK_MODES, { message: `must be one of ${CHECK_MODES.join(', ')}` })
  CHECKS: (typeof CHECK_MODES)[number] = 'on';

  /** Networks that checks can reach even though they are not public, separated by commas. */
  @Satisfies(
    (text) => typeof text === 'string' && parseNetworks(text.split(',')) !== undefined,
    'must be a list of networks separated by commas, such as 10.1.0.0/16,fd00:1::/32',
  )
  CHECK_ALLOWED_NETWORKS?: string = undefined;

  /**
   * Addresses that are always reachable, separated by commas. If none of them is, failures of checks are not recorded, because the
   * process itself has no network.
   */
  @Satisfies(
    (text) => typeof text === 'string' && parseCanaries(text) !== undefined,
    'must be a list of 1 to 10 hosts with ports, separated by commas, such as 1.1.1.1:443,[2606:4700::1111]:443',
  )
  CHECK_CANARIES?: string = undefined;

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

/** Returns the addresses of `CHECK_CANARIES`, or undefined if one of them is invalid. */
export function parseCanaries(text: string): { host: string; port: number }[] | undefined {
  const canaries = text.split(',').flatMap((canary) => hostAndPort(canary.trim()) ?? []);
  const isValid = canaries.length === text.split(',').length && canaries.length <= MAX_CANARIES;
  return isValid ? canaries : undefined;
}

/** Returns a host and its port, or undefined if a text has another form. IPv6 addresses are in brackets. */
export function hostAndPort(text: string): { host: string; port: number } | undefined {
  const [, name, address, digits] = /^(?:([^\s:/?#@[\]]+)|\[([\da-fA-F:.]+)\]):(\d{1,5})$/.exec(text) ?? [];
  const host = name ?? address;
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}
