import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { LOGGER } from '../platform/logging/logging.module.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { IgnoredAlertDto } from './dto/delivery-result.dto.js';

const HOUR_MS = 3_600_000;
/** Maximum number of log lines of a project in an hour. */
const MAX_LINES = 10;
/** Maximum number of names to remember with each line. */
const MAX_NAMES = 20;
const MAX_PROJECTS = 1_000;

/** An alert that identifies no monitor of the project. */
export interface IgnoredAlert {
  error: IgnoredAlertDto;
  /** ID or key in its labels, or the error of the label. Alertmanager repeats alerts with the same labels. */
  name: string;
}

/** Log lines about a project in the current hour. */
interface Hour {
  /** Time of `performance.now()`. */
  ends_at: number;
  lines: number;
  names: Set<string>;
  /** Number of ignored alerts since the last line. */
  unlogged: number;
}

/** Logs and counts the alerts of Alertmanager that identify no monitor (docs/log.md, docs/observability.md). */
@Injectable()
export class IgnoredAlerts {
  private readonly counts: Record<IgnoredAlertDto['code'], number> = {
    unknown_monitor: 0,
    invalid_format: 0,
  };
  private readonly hours = new LRUCache<string, Hour>({ max: MAX_PROJECTS });

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.add((read) => {
      const help = 'Alerts of Alertmanager whose label identifies no monitor, by error code';
      read('Counter', 'alerts_ignored_total', help, () => this.counts, { label: 'code' });
    });
  }

  /**
   * Counts the ignored alerts of a delivery. Logs one line, with the first that has not been logged in this hour. A project has up to
   * ten lines an hour.
   */
  record(project_id: string, alerts: IgnoredAlert[]): void {
    if (alerts.length === 0) return;
    for (const { error } of alerts) this.counts[error.code] += 1;
    const hour = this.hourOf(project_id);
    hour.unlogged += alerts.length;
    const added = hour.lines < MAX_LINES ? alerts.filter(({ name }) => !hour.names.has(name)) : [];
    const [first] = added;
    if (!first) return;
    for (const { name } of added.slice(0, MAX_NAMES)) hour.names.add(name);
    this.logger.warn(
      { project_id, ignored: hour.unlogged, reason: `${first.error.pointer} ${first.error.detail}` },
      'ignored alerts that identify no monitor',
    );
    hour.lines += 1;
    hour.unlogged = 0;
  }

  private hourOf(project_id: string): Hour {
    const now = performance.now();
    const before = this.hours.get(project_id);
    if (before && before.ends_at > now) return before;
    const hour: Hour = {
      ends_at: now + HOUR_MS,
      lines: 0,
      names: new Set(),
      unlogged: before?.unlogged ?? 0,
    };
    this.hours.set(project_id, hour);
    return hour;
  }
}
