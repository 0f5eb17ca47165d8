import type { Registry } from 'prom-client';
import type { ApiKeyAuthenticator } from '../auth/api-key-authenticator.js';
import { readVersion } from '../config/env-file.js';
import type { SlowStatements } from '../database/slow-statements.js';
import type { StatementRunner } from '../database/statement-runner.js';
import { droppedLines } from '../logging/log-output.js';
import type { PageCache } from '../public-page/cache/page-cache.js';
import type { Admission } from '../server/admission.js';
import type { RateLimit } from '../server/rate-limit.js';

type Prometheus = typeof import('prom-client');

/** What counts, and what is read when metrics are collected. */
export interface Sources {
  admission: Admission;
  rateLimit: RateLimit;
  authenticator: ApiKeyAuthenticator;
  pages: PageCache;
  runner: StatementRunner;
  slowStatements: SlowStatements;
}

/** The values of a metric: one, or one for each value of its label. */
type Values = number | Record<string, number>;

/** Registers the metrics of overload, database, caches and log. Almost all are read only when they are collected. */
export function measureService(prom: Prometheus, registry: Registry, sources: Sources): void {
  const { admission, rateLimit, authenticator, pages, runner, slowStatements } = sources;
  const { pool } = runner;
  const registers = [registry];

  /** A metric with one label or none, whose values are read when it is collected. */
  const read = (type: 'Counter' | 'Gauge', name: string, help: string, values: () => Values, label = '') => {
    const metric = new prom[type]({
      name: `status_pages_${name}`,
      help,
      labelNames: label === '' ? [] : [label],
      registers,
      collect() {
        const now = values();
        metric.reset();
        if (typeof now === 'number') metric.inc(now);
        else for (const [value, count] of Object.entries(now)) metric.inc({ [label]: value }, count);
      },
    });
  };

  new prom.Gauge({
    name: 'status_pages_build_info',
    help: 'Always 1; its labels are the versions of the service and of Node.js',
    labelNames: ['version', 'node_version'],
    aggregator: 'first',
    registers,
  }).set({ version: readVersion(), node_version: process.versions.node }, 1);

  const { turns } = admission;
  read('Gauge', 'requests_running', 'Requests that have a turn', () => turns.running);
  read('Gauge', 'requests_waiting', 'Requests that wait for a turn', () => turns.waiting);
  const unserved = 'Requests that were refused, or left by their clients, before they started';
  read('Counter', 'requests_unserved_total', unserved, () => admission.counts, 'reason');
  const limited = 'Requests above a rate limit, by the name of its policy';
  read('Counter', 'requests_rate_limited_total', limited, () => rateLimit.rejected, 'policy');

  const connections = 'Connections to the database';
  const states = () => ({ idle: pool.idleCount, in_use: pool.totalCount - pool.idleCount });
  read('Gauge', 'database_connections', connections, states, 'state');
  read('Gauge', 'database_connections_max', 'Maximum of connections', () => pool.options.max);
  read('Gauge', 'database_waiting', 'Requests for a connection that wait', () => pool.waitingCount);
  read('Counter', 'database_slow_statements_total', 'Statements in the log', () => slowStatements.count);
  const statements = new prom.Histogram({
    name: 'status_pages_database_statement_duration_seconds',
    help: 'Time of a statement, without the wait for a connection',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  pool.statements.listen(
    () =>
      ({ duration_ms }) =>
        statements.observe(duration_ms / 1000),
  );

  const visits = 'Visits of public pages: served from memory (hits), or after a rendering';
  read('Counter', 'page_cache_visits_total', visits, () => pages.counts, 'result');
  const keys = 'API keys: found in memory (hits), or looked up in the database';
  read('Counter', 'api_key_cache_requests_total', keys, () => authenticator.counts, 'result');
  read('Counter', 'log_lines_dropped_total', 'Lines that the log could not write', droppedLines);
}
