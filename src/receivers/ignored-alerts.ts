import { Injectable } from '@nestjs/common';
import { Metrics } from '../platform/metrics/metrics.js';
import type { IgnoredAlertDto } from './dto/delivery-result.dto.js';

/** Counts the alerts of Alertmanager that identify no monitor, for a metric (docs/observability.md). */
@Injectable()
export class IgnoredAlerts {
  private readonly counts: Record<IgnoredAlertDto['code'], number> = {
    unknown_monitor: 0,
    invalid_format: 0,
  };

  constructor(metrics: Metrics) {
    metrics.add((read) => {
      const help = 'Alerts of Alertmanager whose label identifies no monitor, by error code';
      read('Counter', 'alerts_ignored_total', help, () => this.counts, { label: 'code' });
    });
  }

  count(alerts: IgnoredAlertDto[]): void {
    for (const { code } of alerts) this.counts[code] += 1;
  }
}
