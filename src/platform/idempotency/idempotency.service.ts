import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { EntityManager } from 'typeorm';
import { JoinedTransaction } from '../database/joined-transaction.js';
import { LOGGER } from '../logging/logging.module.js';
import { PROBLEMS } from '../problems/catalogue.js';
import { Problem } from '../problems/problem.js';
import { REPLAYED, StoredResponse } from '../server/stored-response.js';
import { ResponseRoom } from './response-room.js';
import { IdempotencyRepository, type KeyRef, type StoredRow } from './idempotency.repository.js';

const CLEANUP_INTERVAL_MS = 10 * 60_000;
const CLEANUP_BATCH = 1_000;

const NO_CONTENT = 204;
/** Codes of the errors in `STORED_ERRORS`. */
const STORED_CODES = ['not_found', 'conflict', 'precondition_failed'] as const;

/** Hashes that must be equal in a repeated request. */
interface Fingerprints {
  /** SHA-256 of the method, path, query, `If-Match` and body of the request. */
  fingerprint: Buffer;
  /** SHA-256 of the projects that the API key is restricted to; empty for an unrestricted key. */
  projects: Buffer;
}

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest<Result> extends KeyRef, Fingerprints {
  handle: () => Promise<Result>;
  /** Returns the response to store for a result. */
  responseTo: (result: Result) => StoredResponse;
  /** Returns the response to store for an error, or undefined. */
  responseToError: (error: unknown) => StoredResponse | undefined;
}

/** Runs requests with an `Idempotency-Key` at most once, and replays their responses for a day. */
@Injectable()
export class IdempotencyService implements OnModuleInit, OnApplicationShutdown {
  /** Keys of requests that this process is handling. */
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly joined: JoinedTransaction,
    private readonly room: ResponseRoom,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.cleanUp(), CLEANUP_INTERVAL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * Handles a request, or returns the response to the first one with its key. All writes of `handle` are committed together
   * with the response.
   * @throws Problem 409 `idempotency_key_in_use` while the first request is in progress; `idempotency_response_not_kept` if its
   * response was not stored; 422 `idempotency_key_reused` for another method, path, query, `If-Match` or body; 403 `forbidden`
   * for an API key whose projects have changed since; the errors of `handle`
   */
  async run<Result>(request: IdempotentRequest<Result>): Promise<Result | StoredResponse> {
    const name = `${request.api_key.lineage} ${request.key}`;
    if (this.running.has(name)) throw inUse();
    this.running.add(name);
    try {
      return await this.replayOrHandle(request);
    } finally {
      this.running.delete(name);
      void this.room.check(request.api_key.organization_id);
    }
  }

  private async replayOrHandle<Result>(request: IdempotentRequest<Result>): Promise<Result | StoredResponse> {
    const { handle, responseTo, responseToError } = request;
    const stored = await this.repository.findKept(request);
    if (stored) return replay(request, stored);
    try {
      return await this.joined.run(handle, {
        onBegin: async (manager) => {
          // Another process may be handling the first request, or may just have committed it.
          if (!(await this.repository.tryLock(request, manager))) throw inUse();
          if (await this.repository.findKept(request, manager)) throw inUse();
        },
        onEnd: async (result, manager) => {
          if (!(await this.store(request, responseTo(result), manager))) throw inUse(); // nothing may change without a stored response
        },
      });
    } catch (error) {
      const response = responseToError(error);
      // Nothing was changed. If the response cannot be stored either, a repeated request gets the same response.
      const isFirst = !response || (await this.store(request, response).catch(() => true));
      // Another process has handled the request in the meantime. This error can be a consequence of its changes.
      throw isFirst ? error : inUse();
    }
  }

  /**
   * Stores a response, or only the fact that there was one. Returns false if another process has stored one in the meantime.
   */
  private async store(
    { fingerprint, projects, ...ref }: KeyRef & Fingerprints,
    { status, headers, body }: StoredResponse,
    manager?: EntityManager,
  ): Promise<boolean> {
    const kept = this.room.take(ref.api_key.organization_id, body) ? body : '';
    const row = { fingerprint: Buffer.concat([fingerprint, projects]), status, headers, body: kept };
    return this.repository.store(ref, row, manager);
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

/** @throws Problem 403, 409 and 422 as `IdempotencyService.run` */
function replay({ fingerprint, projects }: Fingerprints, stored: StoredRow): StoredResponse {
  if (!fingerprint.equals(stored.fingerprint.subarray(0, fingerprint.length)))
    throw new Problem('idempotency_key_reused');
  // No operation changes the projects of a key. The response can belong to a project that the key can no longer access.
  if (!projects.equals(stored.fingerprint.subarray(fingerprint.length)))
    throw new Problem('forbidden', {
      detail: 'The projects of the API key have changed since the first request with this Idempotency-Key',
    });
  const { status, headers, body } = stored;
  if (body === '' && status !== NO_CONTENT) throw withoutBody(status, headers);
  return new StoredResponse(status, headers, body);
}

/**
 * Returns the error for a response whose body was not stored: for an error, its code without details; otherwise, that the
 * request was executed.
 */
function withoutBody(status: number, { Location }: Record<string, string>): Problem {
  const code = STORED_CODES.find((one) => PROBLEMS[one].status === status);
  return new Problem(code ?? 'idempotency_response_not_kept', {
    headers: { ...REPLAYED, ...(!code && Location !== undefined && { Location }) },
  });
}

function inUse(): Problem {
  return new Problem('idempotency_key_in_use', { headers: { 'Retry-After': '1' } });
}
