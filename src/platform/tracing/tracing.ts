import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Span } from '@opentelemetry/api';
import type { Request } from 'express';
import { readVersion } from '../config/project-files.js';
import { Env } from '../config/env.js';
import { nameStatement } from '@status-pages/resilient-pg';
import { StatementRunner } from '../database/statement-runner.js';
import { ServerExpressAdapter } from '../server/express-adapter.js';
import { type AnyRequest, RequestEnds } from '../server/request-end.js';
import { CurrentRequest } from './current-request.js';
import type { OpenTelemetry } from './open-telemetry.js';

/** Metadata key of `@ApiOperation`. */
const OPERATION = 'swagger/apiOperation';

/** Spans of a traced request. */
interface RequestTrace {
  /** Span of the request, from its arrival until its response is sent. */
  readonly server: Span;
  /** Span of the operation, which starts after the guards. Later statements belong to it, earlier ones to the request. */
  operation?: Span;
}

/**
 * Traces requests, operations and statements, and sends the traces to the collector at `OTEL_EXPORTER_OTLP_ENDPOINT`. If that
 * variable is unset, OpenTelemetry is not loaded. `docs/observability.md` describes the spans.
 */
@Injectable()
export class Tracing implements OnModuleInit, OnApplicationShutdown, CanActivate {
  private telemetry: OpenTelemetry | undefined;
  /** By request, because few requests are traced. */
  private readonly traces = new WeakMap<IncomingMessage, RequestTrace>();

  constructor(
    private readonly env: Env,
    private readonly ends: RequestEnds,
    private readonly runner: StatementRunner,
    private readonly adapterHost: HttpAdapterHost,
    private readonly requests: CurrentRequest,
  ) {}

  /** Whether requests are traced. */
  get isOn(): boolean {
    return this.env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  }

  async onModuleInit(): Promise<void> {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = this.env;
    if (endpoint === undefined) return;
    const { OpenTelemetry: Loaded } = await import('./open-telemetry.js');
    const telemetry = new Loaded(endpoint, readVersion());
    this.telemetry = telemetry;
    const adapter: unknown = this.adapterHost.httpAdapter;
    if (adapter instanceof ServerExpressAdapter)
      adapter.received = (request, response) => this.begin(telemetry, request, response);
    this.requests.follow();
    this.ends.listen((end) => {
      const trace = end.request && this.traces.get(end.request);
      if (!end.request || !trace) return;
      this.traces.delete(end.request);
      trace.operation?.end();
      telemetry.endServer(trace.server, end);
    });
    this.runner.pool.statements.listen((text) => {
      const request = this.requests.get();
      const trace = request && this.traces.get(request);
      if (!trace) return undefined;
      const span = telemetry.startStatement(nameStatement(text), trace.operation ?? trace.server);
      return ({ error }) => telemetry.endStatement(span, error);
    });
  }

  private begin(telemetry: OpenTelemetry, request: AnyRequest, response: ServerResponse): void {
    const server = telemetry.startServer(request);
    request.trace_id = server.spanContext().traceId;
    response.setHeader('traceparent', traceparentOf(server));
    if (server.isRecording()) this.traces.set(request, { server });
  }

  /** Starts the operation's span. This is the last guard. */
  canActivate(context: ExecutionContext): boolean {
    const trace = this.traces.get(context.switchToHttp().getRequest<Request>());
    if (trace && this.telemetry)
      trace.operation = this.telemetry.startOperation(operationOf(context), trace.server);
    return true;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.telemetry?.close();
  }
}

/** Returns the header of W3C Trace Context, section 3.2, for a span. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Returns the operationId of OpenAPI, or the name of the method. */
function operationOf(context: ExecutionContext): string {
  const handler = context.getHandler();
  const operation: unknown = Reflect.getMetadata(OPERATION, handler);
  const hasId = typeof operation === 'object' && operation !== null && 'operationId' in operation;
  return hasId ? String(operation.operationId) : `${context.getClass().name}.${handler.name}`;
}
