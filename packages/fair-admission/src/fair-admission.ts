import type { IncomingMessage, ServerResponse } from 'node:http';
import { FairTurns, type Turn, type TurnLimits } from './fair-turns.js';

/** A request whose client has left keeps its turn until its work ends, but no longer than this. */
const MAX_WORK_MS = 20_000;
const CHECK_MS = 50;

/** The turn of a request, or its place in the queue. Not in a WeakMap, which would double the processor time of a request. */
const ADMITTED = Symbol('admitted');

/** A request that can have a turn. */
export type AdmittedRequest = IncomingMessage & { [ADMITTED]?: Admitted };

/** How a {@link FairAdmission} treats requests. */
export interface AdmissionOptions<Request extends IncomingMessage> extends TurnLimits {
  /** The number of requests that run at once, such as that of connections to the database. */
  total: number;
  /** Those who share the turns. By default, all requests are of one tenant. */
  tenantOf?: (request: Request) => string;
  /** Responds to a request that does not get a turn in time. By default, with 503 and `Retry-After: 1`. */
  refuse?: (request: Request, response: ServerResponse) => void;
  /** Called when a client has left before its request started. */
  onLeave?: () => void;
  /** Called when a response is complete. Its client can still be receiving it, or have left. */
  onFinish?: (request: Request, response: ServerResponse) => void;
  /** Creates the error of {@link withoutTurn} for a request that does not get a turn again in time. */
  createError?: () => Error;
}

/**
 * Admits a bounded number of requests at once. Others wait before they cost anything, and are refused if they wait for too long: a
 * refusal takes far less time than a request. A request whose client leaves while it waits is dropped. Tenants share the turns, see
 * {@link FairTurns}.
 *
 *     const admission = new FairAdmission({ total: 8, tenantOf: (request) => customerOf(request) });
 *     createServer((request, response) => admission.admit(request, response, () => serve(request, response)));
 */
export class FairAdmission<Request extends IncomingMessage = IncomingMessage> {
  readonly turns: FairTurns;
  /** Requests that were refused, or left by their clients, before they started. */
  readonly counts = { refused: 0, left: 0 };

  constructor(private readonly options: AdmissionOptions<Request>) {
    this.turns = new FairTurns(options.total, options);
  }

  /** Serves a request when its turn comes, or refuses it. */
  admit(request: Request & AdmittedRequest, response: ServerResponse, serve: () => void): void {
    const { tenantOf = noTenant, createError = refused } = this.options;
    const admitted = new Admitted(this.turns, tenantOf(request), createError);
    request[ADMITTED] = admitted;
    // The response is complete, but the client can still be receiving it. Also emitted if the client has left.
    response.once('prefinish', () => {
      admitted.giveBack();
      this.options.onFinish?.(request, response);
    });
    response.once('close', () => {
      if (!admitted.leave(response)) return;
      this.counts.left += 1;
      this.options.onLeave?.();
    });
    admitted.take(serve, () => {
      this.counts.refused += 1;
      const { refuse = respondUnavailable } = this.options;
      refuse(request, response);
    });
  }
}

/**
 * Waits for what takes neither processor nor database, such as the rest of a body. Meanwhile, another request has the turn.
 * @throws Error of `createError` if the request does not get a turn again in time
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

/** Gives the turn of a request back for good, because the request has limits of its own. */
export function leaveTurn(request: AdmittedRequest): void {
  request[ADMITTED]?.giveBack();
}

/** Treats the client of a request as gone, because another response has been sent to it. */
export function dropClient(request: AdmittedRequest, response: ServerResponse): void {
  request[ADMITTED]?.leave(response);
}

/** A request that has a turn, or waits for one. */
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
    if (this.hasLeft) throw this.createError(); // nobody receives this
    await new Promise<void>((resolve, reject) => {
      this.take(resolve, () => reject(this.createError()));
    });
  }

  giveBack(): void {
    if (this.turn) this.turns.end(this.turn);
  }

  /** The connection is closed. Returns whether the request was still waiting: it is dropped. Work goes on to its end. */
  leave(response: ServerResponse): boolean {
    this.hasLeft = true;
    const state = this.turn?.state;
    if (state === 'waiting') this.giveBack();
    else if (state === 'held') this.giveBackAfter(response, performance.now() + MAX_WORK_MS);
    return state === 'waiting';
  }

  /** A response without a connection ends without an event. */
  private giveBackAfter(response: ServerResponse, deadline: number): void {
    if (response.writableEnded || performance.now() > deadline) this.giveBack();
    else setTimeout(() => this.giveBackAfter(response, deadline), CHECK_MS).unref();
  }
}

const noTenant = () => '';

const refused = () => new Error('no turn in time: too many requests');

function respondUnavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1', 'Content-Length': '0' });
  response.end();
}
