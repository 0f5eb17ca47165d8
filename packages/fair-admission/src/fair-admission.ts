import type { IncomingMessage, ServerResponse } from 'node:http';
import { FairTurns, type Turn, type TurnLimits } from './fair-turns.js';

/** Maximum time for which a request keeps its slot after its client has disconnected. */
const MAX_WORK_MS = 20_000;
const CHECK_MS = 50;

/** A request's slot or queue entry. A property, because a WeakMap would double the CPU time of a request. */
const ADMITTED = Symbol('admitted');

/** A request that can hold a slot. */
export type AdmittedRequest = IncomingMessage & { [ADMITTED]?: Admitted };

/** Options of {@link FairAdmission}. */
export interface AdmissionOptions<Request extends IncomingMessage> extends TurnLimits {
  /** Number of concurrent requests, for example the size of the database connection pool. */
  total: number;
  /** Returns the tenant of a request. By default, all requests belong to one tenant. */
  tenantOf?: (request: Request) => string;
  /** Responds to a request that does not get a slot in time. Default: 503 with `Retry-After: 1`. */
  refuse?: (request: Request, response: ServerResponse) => void;
  /** Called when a client disconnects before its request starts. */
  onLeave?: () => void;
  /** Called when a response is complete. Its client may still be receiving it, or may have disconnected. */
  onFinish?: (request: Request, response: ServerResponse) => void;
  /** Creates the error that {@link withoutTurn} throws if the request does not get a slot again in time. */
  createError?: () => Error;
}

/**
 * Limits the number of concurrent requests. Other requests queue before they use resources, and are rejected if they queue for too
 * long. Rejecting takes far less time than serving. If a client disconnects, its queued request is dropped. Tenants share the slots,
 * see {@link FairTurns}.
 *
 *     const admission = new FairAdmission({ total: 8, tenantOf: (request) => customerOf(request) });
 *     createServer((request, response) => admission.admit(request, response, () => serve(request, response)));
 */
export class FairAdmission<Request extends IncomingMessage = IncomingMessage> {
  readonly turns: FairTurns;
  /** Numbers of requests that were rejected, or abandoned by their clients, before they started. */
  readonly counts = { rejected: 0, abandoned: 0 };

  constructor(private readonly options: AdmissionOptions<Request>) {
    this.turns = new FairTurns(options.total, options);
  }

  /** Serves a request when it gets a slot, or rejects it. */
  admit(request: Request & AdmittedRequest, response: ServerResponse, serve: () => void): void {
    const { tenantOf = noTenant, createError = refused } = this.options;
    const admitted = new Admitted(this.turns, tenantOf(request), createError);
    request[ADMITTED] = admitted;
    // The response is complete, but the client may still be receiving it. Also emitted if the client has disconnected.
    response.once('prefinish', () => {
      admitted.giveBack();
      this.options.onFinish?.(request, response);
    });
    response.once('close', () => {
      if (!admitted.leave(response)) return;
      this.counts.abandoned += 1;
      this.options.onLeave?.();
    });
    admitted.take(serve, () => {
      this.counts.rejected += 1;
      const { refuse = respondUnavailable } = this.options;
      refuse(request, response);
    });
  }
}

/**
 * Runs `work` that uses neither CPU nor database, such as receiving the rest of a body. Releases the slot until it is done.
 * @throws Error of `createError` if the request does not get a slot again in time
 */
export async function withoutTurn<Result>(
  request: AdmittedRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const admitted = request[ADMITTED];
  admitted?.giveBack();
  const result = await work();
  await admitted?.takeAgain();
  return result;
}

/** Permanently releases the slot of a request that has its own limits. */
export function leaveTurn(request: AdmittedRequest): void {
  request[ADMITTED]?.giveBack();
}

/** Treats the client of a request as disconnected, because another response has been sent to it. */
export function dropClient(request: AdmittedRequest, response: ServerResponse): void {
  request[ADMITTED]?.leave(response);
}

/** A request that holds a slot or waits for one. */
class Admitted {
  private turn: Turn | undefined;
  private hasLeft = false;

  constructor(
    private readonly turns: FairTurns,
    private readonly tenant: string,
    private readonly createError: () => Error,
  ) {}

  take(start: () => void, refuse: () => void): void {
    const startUnlessLeft = (turn: Turn) => {
      this.turn = turn;
      if (this.hasLeft) this.giveBack();
      else start();
    };
    this.turn = this.turns.take(this.tenant, { start: startUnlessLeft, refuse });
  }

  async takeAgain(): Promise<void> {
    if (this.hasLeft) throw this.createError(); // the client is not connected
    await new Promise<void>((resolve, reject) => {
      this.take(resolve, () => reject(this.createError()));
    });
  }

  giveBack(): void {
    if (this.turn) this.turns.end(this.turn);
  }

  /** Handles a closed connection. Returns true if the request was still queued and has been dropped. Running requests continue. */
  leave(response: ServerResponse): boolean {
    this.hasLeft = true;
    const state = this.turn?.state;
    if (state === 'waiting') this.giveBack();
    else if (state === 'held') this.giveBackAfter(response, performance.now() + MAX_WORK_MS);
    return state === 'waiting';
  }

  /** Polls, because a response without a connection emits no event when it ends. */
  private giveBackAfter(response: ServerResponse, deadline: number): void {
    if (response.writableEnded || performance.now() > deadline) this.giveBack();
    else setTimeout(() => this.giveBackAfter(response, deadline), CHECK_MS).unref();
  }
}

const noTenant = () => '';

const refused = () => new Error('too many requests; no slot became free in time');

function respondUnavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Length': '0' });
  response.end();
}
