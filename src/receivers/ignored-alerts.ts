import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOGGER } from '../platform/logging/logging.module.js';
import { Metrics } from '../platform/metrics/metrics.js';
import type { IgnoredAlertDto } from './dto/delivery-result.dto.js';

/** Logs and counts the alerts of Alertmanager that identify no monitor (docs/log.md, docs/observability.md). */
@Injectable()
export class IgnoredAlerts {
  private readonly counts: Record<IgnoredAlertDto['code'], number> = {
    unknown_monitor: 0,
    invalid_format: 0,
  };

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.add((read) => {
      const help = 'Alerts of Alertmanager whose label identifies no monitor, by error code';
      read('Counter', 'alerts_ignored_total', help, () => this.counts, { label: 'code' });
    });
  }

  /** Logs one line per delivery, with the first of its ignored alerts. */
  record(project_id: string, alerts: IgnoredAlertDto[]): void {
    const [first] = alerts;
    if (!first) return;
    this.logger.warn(
      { project_id, ignored: alerts.length, reason: `${first.pointer} ${first.detail}` },
      'ignored alerts that identify no monitor',
    );
    for (const { code } of alerts) this.counts[code] += 1;
  }
}
