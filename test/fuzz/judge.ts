import type { Contract } from '../support/contract.js';
import type { Operation } from './served-document.js';
import { described, type Received, type Sent } from './sender.js';

/**
 * CPU time of one request, including concurrent requests of the other tenants. The elapsed time depends on the
 * machine.
 */
const LONGEST_MS = 5_000;
const FAULTS = 25;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Data that only its owner can see. */
export interface Secrets {
  /** In each text of the other tenant. */
  canary: string;
  /** IDs of all rows of the other tenant. */
  ids: ReadonlySet<string>;
}

/** Checks responses against the rules for all responses, and collects the errors, the first of each kind. */
export class Judge {
  readonly faults = new Map<string, string>();
  /** The number of responses per status, by operation. A dry run that succeeds is not a success of the operation. */
  readonly statuses = new Map<string, Map<number, number>>();
  count = 0;
  slowest = 0;

  constructor(
    private readonly contract: Contract,
    private readonly secrets: Secrets,
  ) {}

  /** @param replay the steps that lead to this request again */
  judge(operation: Operation, sent: Sent, received: Received, replay: string): void {
    const { status, headers, text, processorMs } = received;
    this.count += 1;
    this.slowest = Math.max(this.slowest, processorMs);
    if (sent.method === operation.method && !headers.has('dry-run')) this.counted(operation, status);
    const faults = [...this.contractFaults(sent, received), ...this.leaks(sent, received)];
    if (status >= 500) faults.push(`${operation.id}: ${status}`);
    if (processorMs > LONGEST_MS)
      faults.push(`${operation.id}: took ${Math.round(processorMs)} ms of the processor`);
    const id = headers.get('x-request-id');
    if (id === null) faults.push(`${operation.id} ${status}: no X-Request-Id`);
    if (status >= 400 && text !== '') faults.push(...problemFaults(operation, received, id));
    for (const fault of faults)
      this.add(fault, `${described(sent)}\n  → ${status} ${text.slice(0, 400)}\n  ${replay}`);
  }

  add(fault: string, where: string): void {
    const kind = fault.replaceAll(UUID, '…').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
    if (!this.faults.has(kind) && this.faults.size < FAULTS) this.faults.set(kind, where);
  }

  reached(operation: Operation, status: number): boolean {
    return this.statuses.get(operation.id)?.has(status) ?? false;
  }

  private counted({ id }: Operation, status: number): void {
    const counts = this.statuses.get(id) ?? new Map<number, number>();
    this.statuses.set(id, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  private contractFaults({ method, target }: Sent, received: Received): string[] {
    const [path = ''] = target.replace(/^https?:\/\/[^/]*/, '').split('?');
    try {
      return this.contract.faultsOf(method, path, received);
    } catch (error) {
      return [`${method} ${received.status}: ${String(error)}`]; // not JSON
    }
  }

  private leaks({ target, headers, body }: Sent, { everything }: Received): string[] {
    if (everything.includes(this.secrets.canary)) return ['the answer has a text of another tenant'];
    const foreign = (everything.match(UUID) ?? []).filter((id) => this.secrets.ids.has(id));
    if (foreign.length === 0) return [];
    const own =
      `${target} ${headers.join(' ')} ${String(body === undefined ? '' : Buffer.from(body))}`.toLowerCase();
    return foreign.some((id) => !own.includes(id)) ? ['the answer has an id of another tenant'] : [];
  }
}

function problemFaults(
  { id: operation }: Operation,
  { status, headers, text }: Received,
  id: string | null,
): string[] {
  if (headers.get('content-type')?.startsWith('application/problem+json') !== true)
    return [`${operation} ${status}: no application/problem+json`];
  const { status: told, request_id, type, code }: Record<string, unknown> = JSON.parse(text);
  return [
    ...(told === status ? [] : [`${operation} ${status}: the body says ${String(told)}`]),
    // A replay is the first response, with its ID.
    ...(request_id === id || headers.get('idempotency-replayed') === 'true'
      ? []
      : [`${operation} ${status}: another request_id in the body`]),
    ...(type === `/problems/${String(code)}` ? [] : [`${operation} ${status}: the type is ${String(type)}`]),
  ];
}
