import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/metrics/metrics.js';
import { DocumentCache } from './document-cache.js';

/** Metrics of the page cache (docs/observability.md). */
@Injectable()
export class DocumentCacheMetrics {
  constructor(metrics: Metrics, pages: DocumentCache) {
    metrics.add((read) => {
      const visits = 'Visits to public pages: served from memory (hits), or after rendering (misses)';
      read('Counter', 'page_cache_visits_total', visits, () => pages.counts, { label: 'result' });
      const saved = 'Saved copies of public pages in DATA_DIR';
      read('Gauge', 'page_cache_kept_copies', saved, () => pages.saved.size, { aggregator: 'max' });
      const outage =
        '1 while public pages are served from saved copies because the database is unavailable, 0 otherwise';
      read('Gauge', 'page_cache_outage', outage, () => (pages.outage.isDown ? 1 : 0), { aggregator: 'max' });
    });
  }
}
