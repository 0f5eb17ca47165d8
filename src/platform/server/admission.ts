import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairAdmission, type FairTurns } from '@status-pages/fair-admission';
import type { Logger } from 'pino';
import { Env } from '../config/env.js';
import { connectionShares } from '../database/connection-shares.js';
import { LOGGER } from '../logging/logging.module.js';
import { unavailable } from '../problems/problem.js';
import { sendRefusal } from './refusal.js';
import { RequestEnds } from './request-end.js';
import { UnreadBytes } from './unread-bytes.js';

const LOG_EVERY_MS = 1_000;

/** Number of slots from which one organization cannot hold all. A pool of five connections has as many. */
const MIN_FAIR = 3;

/** Exempt: health checks, files of the documentation, and public pages, whose rendering has its own limits. */
const EXEMPT = /^\/(?:health|status|docs)\//;

/**
 * Admits as many concurrent requests as the API has connections to the database, shared between organizations, see
 * {@link FairAdmission} and {@link connectionShares}. Other requests wait for a slot (`turn`), and get 503 `unavailable` if they wait too long.
 */
@Injectable()
export class Admission implements OnApplicationShutdown {
  /** Returns the organization of a request if it is known without the database. */
  tenantOf: (request: IncomingMessage) => string = () => '';

  private readonly admission: FairAdmission;
  /** Counts at the last report. */
  private reported = { rejected: 0, abandoned: 0 };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    { DATABASE_POOL_SIZE }: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    ends: RequestEnds,
    unread: UnreadBytes,
  ) {
    this.admission = new FairAdmission({
      total: connectionShares(DATABASE_POOL_SIZE).api,
      minFair: MIN_FAIR,
      tenantOf: (request) => this.tenantOf(request),
      refuse: (request, response) => {
        this.reportSoon();
        sendRefusal(response);
        ends.announce(request, response);
      },
      onLeave: () => this.reportSoon(),
      onFinish: (request, response) => unread.holdRest(request, response),
      createError: () => unavailable(),
    });
  }

  /** Requests in progress and in the queue. */
  get turns(): FairTurns {
    return this.admission.turns;
  }

  /** Requests that were rejected, or abandoned by their clients, while queued. */
  get counts(): { readonly rejected: number; readonly abandoned: number } {
    return this.admission.counts;
  }

  /** Serves a request when it gets a slot, or rejects it. */
  readonly admit = (request: IncomingMessage, response: ServerResponse, serve: () => void): void => {
    if (EXEMPT.test(request.url ?? '') || request.method === 'OPTIONS') serve();
    else this.admission.admit(request, response, serve);
  };

  onApplicationShutdown(): void {
    this.report();
  }

  /** Logs the counts within a second. One line per request would increase the load. */
  private reportSoon(): void {
    this.timer ??= setTimeout(() => this.report(), LOG_EVERY_MS).unref();
  }

  private report(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rejected = this.counts.rejected - this.reported.rejected;
    const abandoned = this.counts.abandoned - this.reported.abandoned;
    if (rejected + abandoned === 0) return;
    this.reported = { ...this.counts };
    const { running, waiting } = this.turns;
    this.logger.warn(
      { status: 503, error_code: 'unavailable', rejected, abandoned, running, waiting },
      'overload: requests rejected or abandoned before they started',
    );
  }
}
