import { connect } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Env } from '../platform/config/env.js';
import { parseCanaries } from '../platform/config/network-env.js';
import { LOGGER } from '../platform/logging/logging.module.js';

/** Time for a connection to a canary, and for which its result is valid. */
const CANARY_MS = 3_000;
const VALID_MS = 5_000;

/** Runs are counted for one to two of these periods. */
const PERIOD_MS = 30_000;

/** Minimum numbers of organizations and of runs from which one can tell that the process itself has no network. */
const MIN_ORGANIZATIONS = 3;
const MIN_RUNS = 10;

/** A run, as this module sees it. */
export interface CountedRun {
  organization_id: string;
  hasFailed: boolean;
  /** Whether the run before has failed as well. */
  hadFailed: boolean;
}

interface Counts {
  succeeded: number;
  failed: number;
}

/**
 * Finds out whether runs fail because this process has no network. With CHECK_CANARIES: if none of them can be reached. Without: if
 * more than half of the runs fail that succeeded before, and of more than half of the organizations, at least three.
 */
@Injectable()
export class OwnFaults {
  private readonly canaries: { host: string; port: number }[];
  private current = new Map<string, Counts>();
  private former = new Map<string, Counts>();
  private periodEnds = 0;
  private reached: { until: number; result: Promise<boolean> } | undefined;
  private isOwn = false;

  constructor(
    { CHECK_CANARIES }: Env,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.canaries = CHECK_CANARIES === undefined ? [] : (parseCanaries(CHECK_CANARIES) ?? []);
  }

  /** Counts runs, and returns whether this process itself causes their failures. Logs when this begins and ends. */
  async areOwn(runs: CountedRun[]): Promise<boolean> {
    this.count(runs);
    const hasFailures = runs.some(({ hasFailed }) => hasFailed);
    if (!hasFailures && !this.isOwn) return false;
    const isOwn = this.canaries.length > 0 ? hasFailures && !(await this.reachCanaries()) : this.doMostFail();
    if (isOwn && !this.isOwn)
      this.logger.warn('checks fail because this process has no network; their results are not recorded');
    if (!isOwn && this.isOwn) this.logger.info('the results of checks are recorded again');
    this.isOwn = isOwn;
    return isOwn;
  }

  private count(runs: CountedRun[]): void {
    const now = performance.now();
    if (now > this.periodEnds) {
      this.former = now > this.periodEnds + PERIOD_MS ? new Map() : this.current;
      this.current = new Map();
      this.periodEnds = now + PERIOD_MS;
    }
    for (const { organization_id, hasFailed, hadFailed } of runs) {
      if (hasFailed && hadFailed && !this.isOwn) continue; // a lasting outage is no sign of the network
      const counts = this.current.get(organization_id) ?? { succeeded: 0, failed: 0 };
      counts[hasFailed ? 'failed' : 'succeeded'] += 1;
      this.current.set(organization_id, counts);
    }
  }

  private doMostFail(): boolean {
    const failing = new Set<string>();
    const all = new Set<string>();
    let succeeded = 0;
    let failed = 0;
    for (const counts of [this.current, this.former])
      for (const [organization, one] of counts) {
        all.add(organization);
        if (one.failed > 0) failing.add(organization);
        succeeded += one.succeeded;
        failed += one.failed;
      }
    return (
      failing.size >= MIN_ORGANIZATIONS &&
      failing.size > all.size / 2 &&
      failed >= MIN_RUNS &&
      failed > succeeded
    );
  }

  /** Connects to the canaries, unless this was done some seconds ago. */
  private async reachCanaries(): Promise<boolean> {
    const now = performance.now();
    if (!this.reached || now > this.reached.until)
      this.reached = {
        until: now + VALID_MS,
        result: Promise.any(this.canaries.map(reach)).then(
          () => true,
          () => false,
        ),
      };
    return this.reached.result;
  }
}

async function reach({ host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => socket.destroy(new Error('timeout')), CANARY_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.destroy();
      resolve();
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
