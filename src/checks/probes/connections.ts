import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { ForbiddenAddressError } from '../../platform/network/network-guard.js';
import { CheckNetwork } from './check-network.js';
import type { Findings } from './target.js';

/** Time after which the next address of a name is tried, if the connection is not established yet. */
const NEXT_ADDRESS_MS = 2_000;

/** Certificates of issuers, in PEM format, instead of Node.js's own, for tests. */
export const CHECK_CA = Symbol('CHECK_CA');

interface Destination {
  host: string;
  port: number;
}

/** Opens the connections of checks, and measures their phases. */
@Injectable()
export class Connections {
  constructor(
    private readonly network: CheckNetwork,
    @Optional() @Inject(CHECK_CA) private readonly ca?: string,
  ) {}

  /**
   * Connects to one of the addresses of a host, all of which must be permitted.
   * @throws Error for `textOfError`; the reason of `signal`
   */
  async open({ host, port }: Destination, signal: AbortSignal, findings: Findings): Promise<Socket> {
    const startedAt = performance.now();
    const addresses = await this.addressesOf(host, signal);
    if (isIP(host) === 0) findings.dns_ms = since(startedAt);
    signal.throwIfAborted();
    const connectedAt = performance.now();
    const socket = connect({
      host,
      port,
      lookup: lookupOf(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      noDelay: true,
    });
    await this.wait(socket, 'connect', signal);
    findings.connect_ms = since(connectedAt);
    return socket;
  }

  /** Like {@link open}, and then begins TLS. Verifies the certificate. */
  async openTls(destination: Destination, signal: AbortSignal, findings: Findings): Promise<TLSSocket> {
    const { host } = destination;
    const plain = await this.open(destination, signal, findings);
    const startedAt = performance.now();
    const socket = connectTls({
      socket: plain,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true, // despite NODE_TLS_REJECT_UNAUTHORIZED
      ...(this.ca !== undefined && { ca: this.ca }),
    });
    await this.wait(socket, 'secureConnect', signal);
    findings.tls_ms = since(startedAt);
    const { valid_to } = socket.getPeerCertificate();
    findings.certificate_expires_at = valid_to ? new Date(valid_to) : null;
    return socket;
  }

  private async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    if (isIP(host) === 0) return this.network.addressesOf(host, signal);
    if (!this.network.permits(host, 'https:')) throw new ForbiddenAddressError('the address is not public');
    return [host];
  }

  /** Waits for an event of a new socket. Destroys it if it fails. */
  private async wait(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
    try {
      await once(socket, event, { signal });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    socket.on('error', ignore); // a later error ends what uses the socket
  }
}

/** Returns the whole milliseconds since a time of `performance.now()`. */
export function since(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

function lookupOf(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, _options, callback) => callback(null, all);
}

function ignore(): void {}
