import type { Histogram, Registry } from 'prom-client';
import type { RequestEnd, RequestEnds } from '../server/request-end.js';

type Prometheus = typeof import('prom-client');
type Labels = 'method' | 'route' | 'status';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures all requests. Labels have a small number of values: route patterns, never paths. */
export function measureRequests(prom: Prometheus, registry: Registry, ends: RequestEnds): void {
  const durations: Histogram<Labels> = new prom.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request until its response is sent, including queue time',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
  ends.listen((end) => durations.observe(labelsOf(end), end.duration_ms / 1000));
}

function labelsOf({ request, route = 'none', status }: RequestEnd): Record<Labels, string | number> {
  const { method = '' } = request ?? {};
  return { method: METHODS.has(method) ? method : 'other', route, status: status ?? 'aborted' };
}
