import type { Aggregator, Registry } from 'prom-client';
import type { ApiKeyAuthenticator } from '../auth/api-key-authenticator.js';
import { readVersion } from '../config/project-files.js';
import type { Replicas } from '../database/replicas.js';
import type { SlowStatements } from '../database/slow-statements.js';
import type { StatementRunner } from '../database/statement-runner.js';
import { droppedLines } from '../logging/log-output.js';
import type { Admission } from '../server/admission.js';
import type { RateLimit } from '../server/rate-limit.js';
import type { RequestCounts } from '../server/request-counts.js';
import type { UnreadBytes } from '../server/unread-bytes.js';

type Prometheus = typeof import('prom-client');

/** Sources that are read at each scrape. */
export interface Sources {
  admission: Admission;
  rateLimit: RateLimit;
  authenticator: ApiKeyAuthenticator;
  runner: StatementRunner;
  slowStatements: SlowStatements;
  replicas: Replicas;
  requestCounts: RequestCounts;
  unread: UnreadBytes;
}

/** Values of a metric: a single one, or one per label value. The values of several labels are separated by spaces. */
type Values = number | Record<string, number>;

/**
 * Registers a metric whose values are read at each scrape. The name gets the prefix `status_pages_`.
 *
 *     read('Counter', 'page_cache_visits_total', 'Visits of public pages', () => cache.counts, { label: 'result' });
 *
 * `label` can contain several names, separated by spaces. `aggregator` combines the values of the workers. Default: their sum.
 */
export type ReadMetric = (
  type: 'Counter' | 'Gauge',
  name: string,
  help: string,
  values: () => Values,
  options?: { label?: string; aggregator?: Aggregator },
) => void;

/** Returns the function that registers metrics in `registry`. */
export function metricReader(prom: Prometheus, registry: Registry): ReadMetric {
  return (type, name, help, values, { label = '', aggregator = 'sum' } = {}) => {
    const labels = label.split(' ').filter((one) => one !== '');
    const metric = new prom[type]({
      name: `status_pages_${name}`,
      help,
      labelNames: labels,
      aggregator,
      registers: [registry],
      collect() {
        const now = values();
        metric.reset();
        if (typeof now === 'number') metric.inc(now);
        else for (const [key, count] of Object.entries(now)) metric.inc(labelled(labels, key), count);
      },
    });
  };
}

function labelled(labels: string[], key: string): Record<string, string> {
  const values = labels.length > 1 ? key.split(' ') : [key];
  return Object.fromEntries(labels.map((label, at) => [label, values[at] ?? '']));
}

/** Registers the metrics of overload, database, caches and log. Almost all are read only at a scrape. */
export function measureService(prom: Prometheus, registry: Registry, sources: Sources): void {
  const { admission, rateLimit, authenticator, runner, slowStatements, replicas } = sources;
  const { requestCounts, unread } = sources;
  const { pool } = runner;
  const registers = [registry];
  const read = metricReader(prom, registry);

  new prom.Gauge({
    name: 'status_pages_build_info',
    help: 'Always 1. The labels are the versions of the service and of Node.js',
    labelNames: ['version', 'node_version'],
    aggregator: 'first',
    registers,
  }).set({ version: readVersion(), node_version: process.versions.node }, 1);

  const { turns } = admission;
  read('Gauge', 'requests_running', 'Requests that hold a slot', () => turns.running);
  read('Gauge', 'requests_waiting', 'Requests that wait for a slot', () => turns.waiting);
  const unserved = 'Requests rejected, or abandoned by their clients, before they started';
  const reasons = () => ({ refused: admission.counts.rejected, left: admission.counts.abandoned });
  read('Counter', 'requests_unserved_total', unserved, reasons, { label: 'reason' });
  const limited = 'Requests rejected by a rate limit, by policy';
  read('Counter', 'requests_rate_limited_total', limited, () => rateLimit.rejected, { label: 'policy' });

  const unreadBytes = 'Response bytes that clients have not read yet';
  read('Gauge', 'unread_response_bytes', unreadBytes, () => unread.all);
  const unsent =
    'Responses above the limit on unread bytes: rejected with 503, or closed with their connection';
  read('Counter', 'unread_responses_total', unsent, () => unread.counts, { label: 'result' });

  const connections = 'Connections to the database';
  const states = () => ({ idle: pool.idleCount, in_use: pool.totalCount - pool.idleCount });
  read('Gauge', 'database_connections', connections, states, { label: 'state' });
  read(
    'Gauge',
    'database_connections_max',
    'Maximum number of pooled database connections',
    () => pool.options.max,
  );
  read('Gauge', 'database_waiting', 'Requests that wait for a database connection', () => pool.waitingCount);
  read(
    'Counter',
    'database_slow_statements_total',
    'Statements that took longer than SLOW_STATEMENT_MS',
    () => slowStatements.count,
  );
  const statements = new prom.Histogram({
    name: 'status_pages_database_statement_duration_seconds',
    help: 'Duration of statements, excluding the wait for a connection',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  pool.statements.listen(
    () =>
      ({ duration_ms }) =>
        statements.observe(duration_ms / 1000),
  );

  const inUse = '1 if the replica is used for reads, 0 otherwise';
  read('Gauge', 'replica_in_use', inUse, () => replicas.inUse(), { label: 'replica', aggregator: 'min' });
  const lag = 'Replication lag, measured twice a second. No sample if unknown';
  read('Gauge', 'replica_lag_seconds', lag, () => replicas.lagSeconds(), {
    label: 'replica',
    aggregator: 'max',
  });
  const reads = 'Reads that a replica can serve, by the server that served them';
  read('Counter', 'replica_reads_total', reads, () => (replicas.exist ? replicas.reads : {}), {
    label: 'result',
  });

  const connected = '1 if Redis counts requests, 0 if it is unavailable';
  read('Gauge', 'redis_connected', connected, () => requestCounts.connected(), {
    label: 'redis',
    aggregator: 'min',
  });
  const fallbacks = 'Requests counted in memory because Redis was unavailable';
  read('Counter', 'redis_fallbacks_total', fallbacks, () => requestCounts.fallbacks);

  const keys = 'API key lookups: served from memory (hits), or from the database (misses)';
  read('Counter', 'api_key_cache_requests_total', keys, () => authenticator.counts, { label: 'result' });
  read('Counter', 'log_lines_dropped_total', 'Log lines that could not be written', droppedLines);
}
