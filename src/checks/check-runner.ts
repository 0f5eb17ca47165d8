import { setMaxListeners } from 'node:events';
import {
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { MonitorsService } from '../monitors/monitors.service.js';
import { system } from '../platform/auth/actor.js';
import { Env } from '../platform/config/env.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { CanceledError } from '../platform/network/send-error.js';
import { countEach } from '../platform/tasks/count-each.js';
import { PeriodicTasks } from '../platform/tasks/periodic-tasks.js';
import { type Report, ReportsService } from '../reports/reports.service.js';
import { CheckStatesRepository, type DueCheck, type RunRow } from './check-states.repository.js';
import { HeaderSecrets } from './header-secrets.js';
import { Prober } from './probes/prober.js';
import type { ProbeResult } from './probes/target.js';
import { targetOf, timeoutOf } from './stored-probe.js';
import { OwnFaults } from './own-faults.js';
import { verdictOf } from './verdict.js';

/** Runs in flight in one process: 1,000 a second, each of which takes a second. */
const MAX_RUNS = 1_000;

const POLL_MS = 1_000;

/** Time in which results gather before they are written together. */
const GATHER_MS = 50;

/** Projects whose results are written at a time. Each takes a connection. */
const CONCURRENT_WRITES = 3;

/** Results that could not be written for this time are dropped. */
const KEPT_MS = 2 * 60_000;

/** A check that has run. */
interface FinishedRun {
  check: DueCheck;
  result: Pick<ProbeResult, 'duration_ms' | 'error'>;
  /** `performance.now()` at the end, because the clock can jump. */
  ended: number;
}

/** Runs the checks that are due in the delivering processes, unless CHECKS is `off`. Each run reports the status of a monitor. */
@Injectable()
export class CheckRunner implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  /** The runs in flight, with their organizations. */
  private readonly running = new Map<Promise<void>, string>();
  private readonly stopped = new AbortController();
  private finished: FinishedRun[] = [];
  private writing: Promise<void> | undefined;
  private isFailing = false;
  /** Whether checks can be due that did not get a place. */
  private mayWait = false;
  /** Whether a run has ended since the last look for checks that are due. */
  private hasFinished = false;

  constructor(
    private readonly env: Env,
    private readonly dataSource: DataSource,
    private readonly states: CheckStatesRepository,
    private readonly monitors: MonitorsService,
    private readonly reports: ReportsService,
    private readonly prober: Prober,
    private readonly secrets: HeaderSecrets,
    private readonly faults: OwnFaults,
    private readonly tasks: PeriodicTasks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    setMaxListeners(0, this.stopped.signal);
    if (this.env.CHECKS === 'on')
      this.tasks.add({
        name: 'checks',
        every_ms: POLL_MS,
        run: () => this.runDue(),
        isDue: () => this.mayWait && this.hasFinished,
      });
  }

  /** Cancels the runs in flight, which are not recorded. */
  onModuleDestroy(): void {
    this.stopped.abort();
  }

  /** Waits for the results that are being written. */
  async onApplicationShutdown(): Promise<void> {
    await this.settle();
  }

  /** Begins the runs that are due, without waiting for them. Returns whether there can be more now. */
  async runDue(): Promise<boolean> {
    this.hasFinished = false;
    const free = MAX_RUNS - this.running.size;
    if (this.stopped.signal.aborted || free <= 0) return false;
    this.writeSoon();
    const counts = countEach(this.running.values());
    const due = await this.dataSource.transaction((manager) => this.states.takeDue(free, counts, manager));
    for (const check of due) {
      const run = this.run(check).finally(() => {
        this.running.delete(run);
        this.hasFinished = true;
        if (this.mayWait) this.tasks.wake();
      });
      this.running.set(run, check.organization_id);
    }
    this.mayWait = due.length > 0 || (this.mayWait && this.running.size > 0);
    return due.length > 0 && this.running.size < MAX_RUNS;
  }

  /** Waits for the runs in flight, and for their results. */
  async settle(): Promise<void> {
    await Promise.all(this.running.keys());
    await this.writing;
  }

  private async run(check: DueCheck): Promise<void> {
    const target = targetOf(check, this.secrets);
    try {
      const result = target
        ? await this.prober.probe(target, timeoutOf(check), this.stopped.signal)
        : { duration_ms: 0, error: 'the headers cannot be decrypted' };
      this.finished.push({ check, result, ended: performance.now() });
      this.writeSoon();
    } catch (error) {
      if (!(error instanceof CanceledError))
        this.logger.error({ check_id: check.check_id, err: error }, 'a check could not run');
    }
  }

  private writeSoon(): void {
    if (this.finished.length > 0)
      this.writing ??= this.writeAll().finally(() => {
        this.writing = undefined;
        // Results that have arrived since.
        if (!this.isFailing) this.writeSoon();
      });
  }

  private async writeAll(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    const runs = this.finished;
    this.finished = [];
    const isOwnFault = await this.faults.areOwn(
      runs.map(({ check, result }) => ({
        organization_id: check.organization_id,
        hasFailed: result.error !== null,
        hadFailed: check.failed_runs > 0,
      })),
    );
    const recorded = isOwnFault ? runs.filter(({ result }) => result.error === null) : runs;
    const projects = byProject(recorded);
    const errors: unknown[] = [];
    const writeNext = async (): Promise<void> => {
      for (let own = projects.pop(); own; own = projects.pop())
        await this.write(own).catch((error: unknown) => {
          errors.push(error);
          this.keep(own ?? []);
        });
    };
    await Promise.all(Array.from({ length: CONCURRENT_WRITES }, writeNext));
    if (errors.length > 0 && !this.isFailing)
      this.logger.warn({ err: errors[0] }, 'the results of checks could not be written; retrying');
    if (errors.length === 0 && this.isFailing) this.logger.info('the results of checks are written again');
    this.isFailing = errors.length > 0;
  }

  /** Keeps results for the next time, if they are not too old. */
  private keep(runs: FinishedRun[]): void {
    const oldest = performance.now() - KEPT_MS;
    this.finished.push(...runs.filter(({ ended }) => ended > oldest));
  }

  private async write(runs: FinishedRun[]): Promise<void> {
    const [first] = runs;
    if (!first) return;
    const { organization_id, project_id } = first.check;
    const project = { organization_id, project_id };
    await this.dataSource.transaction(async (manager) => {
      // Before the states, as a deletion of a monitor does.
      const monitorIds = runs.map(({ check }) => check.monitor_id);
      const existing = await this.monitors.lockExisting(project, monitorIds, manager);
      const rows = runs.filter(({ check }) => existing.has(check.monitor_id)).map(rowOf);
      const written = await this.states.write(project, rows, manager);
      const verdicts = new Map(rows.map((row) => [row.check_id, row]));
      const reports = runs.flatMap(({ check, result }): Report[] => {
        const status = written.has(check.check_id) ? verdicts.get(check.check_id)?.status : undefined;
        if (!status) return [];
        const response_ms = result.error === null ? { response_ms: result.duration_ms } : {};
        return [{ monitor_id: check.monitor_id, status, observed_at: check.now, ...response_ms }];
      });
      if (reports.length > 0)
        await this.reports.record(system('check', organization_id), project_id, reports, manager);
    });
  }
}

function rowOf({ check, result }: FinishedRun): RunRow {
  const { check_id, token, now } = check;
  const { duration_ms, error } = result;
  return { check_id, token, checked_at: now, duration_ms, error, ...verdictOf(check, result) };
}

function byProject(runs: FinishedRun[]): FinishedRun[][] {
  const projects = new Map<string, FinishedRun[]>();
  for (const run of runs) {
    const own = projects.get(run.check.project_id);
    if (own) own.push(run);
    else projects.set(run.check.project_id, [run]);
  }
  return [...projects.values()];
}
