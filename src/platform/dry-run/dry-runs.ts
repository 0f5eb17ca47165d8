import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { EntityManager } from 'typeorm';
import { JoinedTransaction } from '../database/joined-transaction.js';
import { plainDataOf } from '../database/raw-json.js';
import { Problem } from '../problems/problem.js';
import { changesOf } from './changes.js';
import { type Before, CurrentResource } from './current-resource.js';
import type { DryRunDto, DryRunNotificationsDto } from './dry-run.dto.js';
import { isDryRun } from './dry-run-query.js';

declare global {
  namespace Express {
    interface Request {
      /** Set for a dry run. Its handler calls one of them, through the adapter or the filter, even if the client has disconnected. */
      dry_run?: {
        /** Rolls the write back, and returns the body with its effects. */
        end: (body: unknown) => Promise<unknown>;
        /** Rolls the write back after an error. */
        fail: () => void;
      };
    }
  }
}

/** A write to run without its effects. */
export interface DryRun<Result> {
  /** Runs the write. */
  write: () => Promise<Result>;
  /** Reads the resources that it may change, at the begin of its transaction. */
  read: () => Promise<Before[]>;
  /** Returns the organization of the actor, which the write knows after authentication. */
  organization: () => string;
}

/** Thrown to roll a transaction back. */
const ROLL_BACK = new Error('dry run');

/**
 * Runs writes in a joined transaction that is rolled back, so that a dry run has the checks, the statements and the response of the
 * write. Work after the commit, such as clearing a cache, does not happen.
 */
@Injectable()
export class DryRuns {
  /**
   * Reads what the transaction of `manager` would notify of. Returns a function that counts the messages after its rollback, so that
   * it does not hold its locks for longer. Set by the module of deliveries, so that the numbers are from the code that sends.
   */
  forecast: (
    organizationId: string,
    manager: EntityManager,
  ) => Promise<() => Promise<DryRunNotificationsDto>> = async () => async () => ({
    email: 0,
    webhook: 0,
    pages: [],
  });

  constructor(
    private readonly joined: JoinedTransaction,
    private readonly current: CurrentResource,
  ) {}

  /**
   * Runs a write, and rolls it back.
   * @returns its result, and the effects that it would have
   * @throws the errors of the write
   */
  async run<Result>({ write, read, organization }: DryRun<Result>): Promise<{
    result: Result;
    dry_run: DryRunDto;
  }> {
    let found: Before[] = [];
    let outcome: { result: Result; count: () => Promise<DryRunNotificationsDto> } | undefined;
    try {
      await this.joined.run(write, {
        onBegin: async () => {
          found = await read().catch((error: unknown) => {
            if (error instanceof Problem) return []; // the write returns the error of a missing resource
            throw error;
          });
        },
        onEnd: async (result, manager) => {
          outcome = { result, count: await this.forecast(organization(), manager) };
          throw ROLL_BACK;
        },
      });
    } catch (error) {
      if (error !== ROLL_BACK) throw error;
    }
    if (!outcome) throw new Error('a dry run ended without an outcome');
    const { result, count } = outcome;
    const after = plainDataOf(result);
    const before = found.find(({ data, isTarget }) => isTarget || hasSameId(data, after))?.data;
    const changes = after === null ? [] : changesOf(before, after);
    return { result, dry_run: { changes, notifications: await count() } };
  }

  /** Handles a request with `dry_run=true`. Its result goes to `dry_run.end` instead of the client, see `ServerExpressAdapter`. */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (!isDryRun(request)) return next();
    response.setHeader('Dry-Run', 'true');
    const outcome = this.run({
      write: () =>
        new Promise<unknown>((resolve, reject) => {
          const fail = () => reject(ROLL_BACK);
          const end = async (body: unknown) => {
            resolve(body);
            const { dry_run } = await outcome;
            return body instanceof Object ? { ...body, dry_run } : body;
          };
          request.dry_run = { end, fail };
          // Not if the client disconnects, because the handler continues, and would write outside of the transaction.
          response.once('finish', fail);
          next();
        }),
      read: () => this.current.of(request),
      organization: () => request.actor?.organization_id ?? '',
    });
    // The filter has sent the error.
    outcome.catch(() => undefined);
  };
}

function hasSameId(one: object, other: unknown): boolean {
  return 'id' in one && other instanceof Object && 'id' in other && one.id === other.id;
}
