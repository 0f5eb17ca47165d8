import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import { PageCache } from './page-cache.js';

/** The metrics of the page cache (docs/observability.md). */
@Injectable()
export class PageCacheMetrics {
  constructor(metrics: Metrics, pages: PageCache) {
    metrics.add((read) => {
      const visits = 'Visits of public pages: served from memory (hits), or after a rendering';
      read('Counter', 'page_cache_visits_total', visits, () => pages.counts, { label: 'result' });
      const saved = 'Copies of public pages on the disk, for when the database is away';
      read('Gauge', 'page_cache_kept_copies', saved, () => pages.saved.size, { aggregator: 'max' });
      const outage = '1 while visitors get the last good copies, because the database is away';
      read('Gauge', 'page_cache_outage', outage, () => (pages.outage.isDown ? 1 : 0), { aggregator: 'max' });
    });
  }
}
