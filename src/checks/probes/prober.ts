import { setMaxListeners } from 'node:events';
import { Injectable } from '@nestjs/common';
import { hostAndPort } from '../../platform/config/network-env.js';
import { Dns, isNotFound } from '../../platform/network/dns.js';
import { CanceledError, textOfError, TimeoutError } from '../../platform/network/send-error.js';
import { CheckNetwork } from './check-network.js';
import { Connections, since } from './connections.js';
import { HttpProbe } from './http-probe.js';
import { type Findings, type ProbeResult, type ProbeTarget, UnexpectedError } from './target.js';

const DAY_MS = 86_400_000;

/** Runs the probes of checks. */
@Injectable()
export class Prober {
  constructor(
    private readonly dns: Dns,
    private readonly network: CheckNetwork,
    private readonly connections: Connections,
    private readonly http: HttpProbe,
  ) {}

  /**
   * Probes a target. Never throws, unless it is canceled.
   * @param timeoutMs maximum duration
   * @throws CanceledError if `canceled` is aborted
   */
  async probe(target: ProbeTarget, timeoutMs: number, canceled: AbortSignal): Promise<ProbeResult> {
    const startedAt = performance.now();
    const findings: Findings = {
      status_code: null,
      dns_ms: null,
      connect_ms: null,
      tls_ms: null,
      first_byte_ms: null,
      certificate_expires_at: null,
    };
    const controller = new AbortController();
    setMaxListeners(0, controller.signal); // each redirect adds some
    const timer = setTimeout(() => controller.abort(new TimeoutError()), timeoutMs);
    const cancel = () => controller.abort(new CanceledError());
    canceled.addEventListener('abort', cancel, { once: true });
    if (canceled.aborted) cancel();
    let error: string | null = null;
    try {
      await this.run(target, controller.signal, findings);
    } catch (thrown) {
      if (canceled.aborted) throw new CanceledError();
      error = textOf(controller.signal.aborted ? controller.signal.reason : thrown);
    } finally {
      clearTimeout(timer);
      canceled.removeEventListener('abort', cancel);
    }
    return { ...findings, duration_ms: since(startedAt), error };
  }

  private async run(target: ProbeTarget, signal: AbortSignal, findings: Findings): Promise<void> {
    signal.throwIfAborted();
    switch (target.type) {
      case 'http':
        return this.http.run(target, signal, findings);
      case 'tcp':
        return void (await this.connections.open(destinationOf(target), signal, findings)).destroy();
      case 'tls':
        return this.checkCertificate(target, signal, findings);
      case 'dns':
        return this.findRecords(target, signal, findings);
    }
  }

  private async checkCertificate(
    target: ProbeTarget,
    signal: AbortSignal,
    findings: Findings,
  ): Promise<void> {
    (await this.connections.openTls(destinationOf(target), signal, findings)).destroy();
    const { certificate_expires_at } = findings;
    if (!certificate_expires_at) throw new UnexpectedError('no certificate');
    const days = (certificate_expires_at.getTime() - Date.now()) / DAY_MS;
    if (days < target.days_before_expiry)
      throw new UnexpectedError(`the certificate expires in ${Math.floor(days)} days`);
  }

  private async findRecords(
    { target, record_type, expected }: ProbeTarget,
    signal: AbortSignal,
    findings: Findings,
  ): Promise<void> {
    const startedAt = performance.now();
    const values = await this.dns.recordsOf(target, record_type, signal).catch((error: unknown) => {
      throw isNotFound(error) ? new UnexpectedError(`no ${record_type} record`) : error;
    });
    findings.dns_ms = since(startedAt);
    const isAddress = record_type === 'A' || record_type === 'AAAA';
    // A comparison would tell the values of internal names.
    if (isAddress && !values.every((value) => this.network.permits(value, 'https:')))
      throw new UnexpectedError('the address is not public');
    if (expected !== null && !values.some((value) => isSame(record_type, value, expected)))
      throw new UnexpectedError(`no ${record_type} record has the expected value`);
  }
}

function destinationOf({ target }: ProbeTarget): { host: string; port: number } {
  const destination = hostAndPort(target);
  if (!destination) throw new UnexpectedError('the target has no port');
  return destination;
}

/** Compares two values of records. Names have no case (RFC 4343), and can end with a dot; texts are compared as they are. */
function isSame(type: ProbeTarget['record_type'], value: string, expected: string): boolean {
  const form = (text: string) => (type === 'TXT' ? text : text.toLowerCase().replace(/\.$/, ''));
  return form(value) === form(expected);
}

function textOf(error: unknown): string {
  return error instanceof UnexpectedError ? error.message : textOfError(error);
}
