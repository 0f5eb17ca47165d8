import { CheckNetwork } from '../../src/checks/probes/check-network.js';
import { Connections } from '../../src/checks/probes/connections.js';
import { HttpProbe } from '../../src/checks/probes/http-probe.js';
import { Prober } from '../../src/checks/probes/prober.js';
import type { ProbeResult, ProbeTarget } from '../../src/checks/probes/target.js';
import { loadEnv } from '../../src/platform/config/env.js';
import { Dns } from '../../src/platform/network/dns.js';
import type { DnsServer } from '../support/dns-server.js';

const DEFAULTS: ProbeTarget = {
  type: 'http',
  target: '',
  method: 'GET',
  headers: {},
  body: '',
  expected_status: '200-399',
  body_contains: null,
  follow_redirects: true,
  record_type: 'A',
  expected: null,
  days_before_expiry: 14,
};

/** Probes can reach this machine. */
export const LOCAL = { CHECK_ALLOWED_NETWORKS: '127.0.0.0/8' };

/** A function that probes a target, with the DNS server of the test. It trusts the issuer `ca`. */
export const useProber =
  (dns: DnsServer) =>
  (target: Partial<ProbeTarget>, env: NodeJS.ProcessEnv = LOCAL, ca?: string): Promise<ProbeResult> => {
    const loaded = loadEnv({ EMBEDDED: 'true', DNS_SERVERS: dns.address, ...env });
    const lookups = new Dns(loaded);
    const network = new CheckNetwork(loaded, lookups);
    const connections = new Connections(network, ca);
    const prober = new Prober(lookups, network, connections, new HttpProbe(connections));
    return prober.probe({ ...DEFAULTS, ...target }, 10_000, new AbortController().signal);
  };
