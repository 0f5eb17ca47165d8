import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { JoinedTransaction } from '../database/joined-transaction.js';
import { LOGGER } from '../logging/logging.module.js';
import { Problem } from '../problems/problem.js';
import { StoredResponse } from '../server/stored-response.js';
import { IdempotencyRepository, type KeyRef } from './idempotency.repository.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;
const CLEANUP_BATCH = 1_000;

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest<Result> extends KeyRef {
  /** SHA-256 of what the request asks for. */
  fingerprint: Buffer;
  handle: () => Promise<Result>;
  /** The response to store for a result. */
  responseTo: (result: Result) => StoredResponse;
  /** The response to store for an error; undefined: none. */
  responseToError: (error: unknown) => StoredResponse | undefined;
}

/** Runs requests with an `Idempotency-Key` at most once, and replays their responses for a day. */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnApplicationShutdown {
  /** The keys of requests that this process is handling. */
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly joined: JoinedTransaction,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.cleanUp(), CLEANUP_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * Handles a request, or returns the response to the first one with its key. Everything that `handle` writes is committed
   * together with the response.
   * @throws Problem 409 `idempotency_key_in_use` while the first request is running; 422 `idempotency_key_reused` for another
   * method, path, query or body; the errors of `handle`
   */
  async run<Result>(request: IdempotentRequest<Result>): Promise<Result | StoredResponse> {
    const name = `${request.api_key.id} ${request.key}`;
    if (this.running.has(name)) throw inUse();
    this.running.add(name);
    try {
      return await this.replayOrHandle(request);
    } finally {
      this.running.delete(name);
    }
  }

  private async replayOrHandle<Result>(request: IdempotentRequest<Result>): Promise<Result | StoredResponse> {
    const { fingerprint, handle, responseTo, responseToError } = request;
    const stored = await this.repository.findKept(request);
    if (stored) {
      if (!fingerprint.equals(stored.fingerprint)) throw new Problem('idempotency_key_reused');
      return new StoredResponse(stored.status, stored.headers, stored.body);
    }
    try {
      return await this.joined.run(handle, {
        onBegin: async (manager) => {
          // Another process may be handling the first request, or may just have committed it.
          if (!(await this.repository.tryLock(request, manager))) throw inUse();
          if (await this.repository.findKept(request, manager)) throw inUse();
        },
        onEnd: async (result, manager) => {
          const isFirst = await this.repository.store(
            request,
            { fingerprint, ...responseTo(result) },
            manager,
          );
          if (!isFirst) throw inUse(); // nothing may change without its response
        },
      });
    } catch (error) {
      const response = responseToError(error);
      // Nothing was changed: if the response cannot be stored either, a repetition gives the same one.
      const isFirst =
        !response || (await this.repository.store(request, { fingerprint, ...response }).catch(() => true));
      // Another process has handled the request meanwhile. This error can be due to what that one made.
      throw isFirst ? error : inUse();
    }
  }

  /** Deletes responses that are older than a day. */
  async cleanUp(): Promise<void> {
    try {
      while ((await this.repository.deleteOld(CLEANUP_BATCH)) === CLEANUP_BATCH);
    } catch (error) {
      this.logger.warn({ err: error }, 'could not delete old idempotency keys'); // the next run tries again
    }
  }
}

function inUse(): Problem {
  return new Problem('idempotency_key_in_use', { headers: { 'Retry-After': '1' } });
}
