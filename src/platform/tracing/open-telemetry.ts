import {
  ROOT_CONTEXT,
  defaultTextMapGetter,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { NamedStatement } from '@status-pages/resilient-pg';
import type { AnyRequest, RequestEnd } from '../server/request-end.js';
import { loggedPath } from '../server/request-log.js';

// The only file that loads OpenTelemetry. `Tracing` imports it if OTEL_EXPORTER_OTLP_ENDPOINT is set.

const DEFAULT_NAME = 'status-pages';
/** Time limit of the last export at shutdown, in milliseconds. An unavailable collector must not delay shutdown. */
const FLUSH_MS = 2_000;

/** Creates spans, and exports them in the background. The other variables `OTEL_*` have their standard meaning. */
export class OpenTelemetry {
  private readonly propagator = new W3CTraceContextPropagator();
  private readonly provider: BasicTracerProvider;
  private readonly tracer;

  /** @param endpoint the URL of the collector, without `/v1/traces` */
  constructor(endpoint: string, version: string) {
    const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url });
    this.provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(resourceFromAttributes({ 'service.name': DEFAULT_NAME, 'service.version': version }))
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.tracer = this.provider.getTracer(DEFAULT_NAME, version);
  }

  /** Starts the span of a request, in the trace of its header `traceparent`. */
  startServer(request: AnyRequest): Span {
    const { method = '', headers } = request;
    const parent =
      headers.traceparent === undefined
        ? ROOT_CONTEXT
        : this.propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': method, 'url.scheme': 'http' };
    return this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  }

  /** Ends the span of a request. */
  endServer(span: Span, { request, route, status }: RequestEnd): void {
    const { method = '', error_code } = request ?? {};
    if (route !== undefined) {
      span.updateName(`${method} ${route}`);
      span.setAttribute('http.route', route);
    }
    if (request) span.setAttribute('url.path', loggedPath(request));
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    if (error_code !== undefined) span.setAttribute('error.type', error_code);
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** Starts the span of an API operation. */
  startOperation(name: string, parent: Span): Span {
    return this.tracer.startSpan(name, { kind: SpanKind.INTERNAL }, trace.setSpan(ROOT_CONTEXT, parent));
  }

  /** Starts the span of a statement, with its text but without values. */
  startStatement({ name, text }: NamedStatement, parent: Span): Span {
    const [operation = name] = name.split(' ');
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': name,
      'db.query.text': text,
    };
    return this.tracer.startSpan(
      name,
      { kind: SpanKind.CLIENT, attributes },
      trace.setSpan(ROOT_CONTEXT, parent),
    );
  }

  /** Ends the span of a statement. Of an error, it contains the SQLSTATE, but never the message, which can contain values. */
  endStatement(span: Span, error: Error | undefined): void {
    if (error) {
      const code: unknown = 'code' in error ? error.code : undefined;
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', typeof code === 'string' ? code : error.name);
    }
    span.end();
  }

  /** Exports the last spans within two seconds. */
  async close(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_MS).unref());
    await Promise.race([this.provider.shutdown().catch(() => undefined), late]);
  }
}
