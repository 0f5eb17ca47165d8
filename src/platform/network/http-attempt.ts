import type { Dispatcher } from 'undici';
import { parseRetryAfter } from './retry-after.js';
import { CanceledError, InformationalError, textOfError, textOfStatus, TimeoutError } from './send-error.js';

/** Default time until the head of the response. */
const HEAD_MS = 15_000;

/** Time for the beginning of the response's body. */
const BODY_MS = 1_000;

/** Bytes of the response's body that are returned. */
const MAX_BODY = 500;

/** A longer body is not read to its end, so that its connection is closed. */
const MAX_READ = 16 * 1024;

/** Responses of 1xx before the final one. */
const MAX_INFORMATIONAL = 10;

/** Result of an attempt. */
export interface HttpResponse {
  /** Null if there was no response. */
  status_code: number | null;
  /** Time until the head of the response, or until the failure. */
  duration_ms: number;
  /** At most the first 500 bytes of the body. Null if there was no response. */
  response: string | null;
  /** Null if the status is 2xx. A short text without anything of the URL. */
  error: string | null;
  /** From `Retry-After`, at most a day. */
  retry_after_ms: number | null;
}

/** Handles the response to one request: takes its head and the beginning of its body, each in a limited time. */
export class HttpAttempt implements Dispatcher.DispatchHandler {
  private readonly startedAt = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private head: Omit<HttpResponse, 'response'> | undefined;
  private readonly body: Buffer[] = [];
  private length = 0;
  private informational = 0;
  private isOver = false;
  private finish = (_response: HttpResponse): void => undefined;
  readonly result: Promise<HttpResponse>;

  /** @param headMs maximum time until the head of the response, with DNS, connection and TLS */
  constructor(headMs = HEAD_MS) {
    this.result = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.timer = setTimeout(() => this.end(new TimeoutError()), headMs);
  }

  /** Ends the attempt, unless it is over. */
  cancel(): void {
    this.end(new CanceledError());
  }

  /** The connection is established. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new CanceledError());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status_code: number,
    headers: NodeJS.Dict<string | string[]>,
  ): void {
    if (this.isOver) return;
    if (status_code < 200) {
      this.informational += 1;
      if (this.informational > MAX_INFORMATIONAL) this.end(new InformationalError());
      return;
    }
    const error = textOfStatus(status_code);
    const retry_after_ms = error === null ? null : parseRetryAfter(headers['retry-after']);
    this.head = { status_code, duration_ms: this.passed, error, retry_after_ms };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(new TimeoutError()), BODY_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.length < MAX_BODY) this.body.push(chunk);
    this.length += chunk.length;
    if (this.length > MAX_READ) this.end(new CanceledError());
  }

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  /** Ends the attempt, whose request could not begin. */
  fail(error: unknown): void {
    this.end(error instanceof Error ? error : new Error('unknown error'));
  }

  /** The status decides, even if there is an error after it. */
  private end(error?: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    if (error) this.controller?.abort(error);
    if (this.head) this.finish({ ...this.head, response: textOf(this.body) });
    else {
      const failure = { status_code: null, response: null, retry_after_ms: null };
      this.finish({ ...failure, duration_ms: this.passed, error: textOfError(error) });
    }
  }

  private get passed(): number {
    return Math.round(performance.now() - this.startedAt);
  }
}

/** Without a character that is cut off, and without NUL, which PostgreSQL cannot store. */
function textOf(chunks: Buffer[]): string {
  if (chunks.length === 0) return '';
  const bytes = Buffer.concat(chunks).subarray(0, MAX_BODY);
  return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
}
