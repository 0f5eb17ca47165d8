import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Request } from 'express';
import { Env } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { unavailable } from '../problems/problem.js';
import { FairTurns, type Turn } from './fair-turns.js';
import { sendRefusal } from './refusal.js';
import { RequestEnds } from './request-end.js';
import { UnreadBytes } from './unread-bytes.js';

declare global {
  namespace Express {
    interface Request {
      /** Its turn, or its place in the queue. Not in a WeakMap, which would double the processor time of a request. */
      admitted?: Admitted;
    }
  }
}

/** A request that can have a turn. */
type AdmittedRequest = IncomingMessage & Partial<Pick<Request, 'admitted'>>;

const LOG_EVERY_MS = 1_000;

/** Health checks, files of the documentation, and visitors: rendering has limits of its own. */
const EXEMPT = /^\/(?:health|status|docs)\//;
/** A request whose client has left keeps its turn until its work ends, but no longer than this. */
const MAX_WORK_MS = 20_000;
const CHECK_MS = 50;

/**
 * Admits as many requests at once as there are connections to the database. Others wait before they cost anything, and get
 * 503 `unavailable` if they wait for too long: a refusal takes far less time than a request. A request whose client leaves
 * while it waits is dropped. Tenants share the turns, see {@link FairTurns}.
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  /** The tenant of a request, if it is known without the database. */
  tenantOf: (request: IncomingMessage) => string = () => '';

  readonly turns: FairTurns;
  /** Requests that were refused, or left by their clients, before they started. */
  readonly counts = { refused: 0, left: 0 };
  /** The same, at the last report. */
  private reported = { refused: 0, left: 0 };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    { DATABASE_POOL_SIZE }: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly ends: RequestEnds,
    private readonly unread: UnreadBytes,
  ) {
    this.turns = new FairTurns(DATABASE_POOL_SIZE);
  }

  /** Serves a request when its turn comes, or refuses it. */
  readonly admit = (request: AdmittedRequest, response: ServerResponse, serve: () => void): void => {
    if (EXEMPT.test(request.url ?? '') || request.method === 'OPTIONS') return serve();
    const admitted = new Admitted(this.turns, this.tenantOf(request));
    request.admitted = admitted;
    // The response is complete, but the client can still be receiving it. Also emitted if the client has left.
    response.once('prefinish', () => {
      admitted.giveBack();
      this.unread.holdRest(request, response);
    });
    response.once('close', () => {
      if (admitted.leave(response)) this.count('left');
    });
    const refuse = () => {
      this.count('refused');
      sendRefusal(response);
      this.ends.announce(request, response);
    };
    admitted.take(serve, refuse);
  };

  onApplicationShutdown(): void {
    this.report();
  }

  /** Counts a request without a line of its own: thousands of lines a second would be a load themselves. */
  private count(what: 'refused' | 'left'): void {
    this.counts[what] += 1;
    this.timer ??= setTimeout(() => this.report(), LOG_EVERY_MS).unref();
  }

  private report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const refused = this.counts.refused - this.reported.refused;
    const left = this.counts.left - this.reported.left;
    if (refused + left === 0) return;
    this.reported = { ...this.counts };
    const { running, waiting } = this.turns;
    this.logger.warn(
      { status: 503, error_code: 'unavailable', refused, left, running, waiting },
      'overload: requests refused, or left by their clients, before they started',
    );
  }
}

/**
 * Waits for what takes neither processor nor database, such as the rest of a body. Meanwhile, another request has the turn.
 * @throws Problem 503 `unavailable` if the request does not get a turn again in time
 */
export async function withoutTurn<Result>(
  request: AdmittedRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const { admitted } = request;
  admitted?.giveBack();
  const result = await work();
  await admitted?.takeAgain();
  return result;
}

/** Gives the turn of a request back for good, because the request has limits of its own. */
export function leaveTurn(request: AdmittedRequest): void {
  request.admitted?.giveBack();
}

/** Treats the client of a request as gone, because another response has been sent to it. */
export function dropClient(request: AdmittedRequest, response: ServerResponse): void {
  request.admitted?.leave(response);
}

/** A request that has a turn, or waits for one. */
class Admitted {
  private turn: Turn | undefined;
  private hasLeft = false;

  constructor(
    private readonly turns: FairTurns,
    private readonly tenant: string,
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
    if (this.hasLeft) throw unavailable(); // nobody receives this
    await new Promise<void>((resolve, reject) => {
      this.take(resolve, () => reject(unavailable()));
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
