import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { ApiKeyAuthenticator } from '../auth/api-key-authenticator.js';
import { Env } from '../config/env.js';
import { Replicas } from '../database/replicas.js';
import { SlowStatements } from '../database/slow-statements.js';
import { StatementRunner } from '../database/statement-runner.js';
import { Admission } from '../server/admission.js';
import { RateLimit } from '../server/rate-limit.js';
import { RequestCounts } from '../server/request-counts.js';
import { RequestEnds } from '../server/request-end.js';
import { UnreadBytes } from '../server/unread-bytes.js';
import { answerPrimary } from './process-metrics.js';
import { measureRequests } from './request-metrics.js';
import { measureService, metricReader, type ReadMetric, type Sources } from './service-metrics.js';

/**
 * Metrics of this process, in the Prometheus text format. Without `ADMIN_PORT`, metrics are disabled, and `prom-client` is not
 * loaded. `docs/observability.md` describes each metric.
 */
@Injectable()
export class Metrics implements OnModuleInit, Sources {
  private registry: Registry | undefined;
  private readonly others: ((read: ReadMetric) => void)[] = [];

  constructor(
    private readonly env: Env,
    private readonly ends: RequestEnds,
    readonly admission: Admission,
    readonly rateLimit: RateLimit,
    readonly authenticator: ApiKeyAuthenticator,
    readonly runner: StatementRunner,
    readonly slowStatements: SlowStatements,
    readonly replicas: Replicas,
    readonly requestCounts: RequestCounts,
    readonly unread: UnreadBytes,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.env.ADMIN_PORT === undefined) return;
    const { default: prom } = await import('prom-client');
    const registry = new prom.Registry();
    prom.collectDefaultMetrics({ register: registry });
    this.registerIn(registry, prom);
    this.registry = registry;
    await answerPrimary(registry);
  }

  /** Adds the metrics of a module. Call it in a constructor, because metrics are registered after all providers are created. */
  add(register: (read: ReadMetric) => void): void {
    this.others.push(register);
  }

  /** Registers all metrics of the service in a registry. */
  registerIn(registry: Registry, prom: typeof import('prom-client')): void {
    measureRequests(prom, registry, this.ends);
    measureService(prom, registry, this);
    const read = metricReader(prom, registry);
    for (const register of this.others) register(read);
  }

  /** Returns the metrics of this process, or an empty text without `ADMIN_PORT`. */
  async text(): Promise<string> {
    return (await this.registry?.metrics()) ?? '';
  }
}
