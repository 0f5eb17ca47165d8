import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { Client } from 'pg';
import { StatementRunner } from '../../src/platform/database/statement-runner.js';
import { throughPgBouncer } from './database.js';

/** A statement as sent, with the values of its parameters. */
export interface Statement {
  text: string;
  values: unknown[];
  /** Client of `pg` that sent it. */
  connection: object;
}

/**
 * The request, or the call of a test, that a statement belongs to. Statements of the server's timers belong to none.
 */
const causes = new AsyncLocalStorage<object>();

/** Whether a statement always counts, because requests share it. */
type IsShared = (text: string) => boolean;

/** The statements of `action` and of requests that begin while it runs, without other work of the server. */
export async function statementsOf(action: () => Promise<unknown>, isShared?: IsShared): Promise<string[]> {
  return (await statementsWithValuesOf(action, isShared)).map(({ text }) => text);
}

/** The same, with their values. */
export async function statementsWithValuesOf(
  action: () => Promise<unknown>,
  isShared: IsShared = () => false,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = Client.prototype.query;
  await withOwn(action, (isOwn) => {
    Client.prototype.query = new Proxy(query, {
      apply(target, client: object, parameters: unknown[]) {
        statements.push(...statementIn(client, parameters).filter(({ text }) => isOwn() || isShared(text)));
        return Reflect.apply(target, client, parameters);
      },
    });
  }).finally(() => {
    Client.prototype.query = query;
  });
  return statements;
}

/** @param begin is called with a function that returns whether `action`, or a request that began while it runs, is the caller */
async function withOwn(action: () => Promise<unknown>, begin: (isOwn: () => boolean) => void): Promise<void> {
  const call = causes.getStore() ?? {};
  const own = new WeakSet([call]);
  const onRequest = (message: unknown): void => {
    const request: unknown = Reflect.get(Object(message), 'request');
    if (typeof request !== 'object' || request === null) throw new Error('the channel has no request');
    own.add(request);
    causes.enterWith(request);
  };
  begin(() => {
    const cause = causes.getStore();
    return cause !== undefined && own.has(cause);
  });
  subscribe('http.server.request.start', onRequest);
  try {
    await causes.run(call, action);
  } finally {
    unsubscribe('http.server.request.start', onRequest);
  }
}

/** The texts that the directories of `src/` run with {@link StatementRunner}, but for `platform/`, whose statements occur at any time. */
export async function textsByRoomOf(action: () => Promise<unknown>): Promise<Map<string, Set<string>>> {
  const rooms = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const add = (text: string) => {
    if (seen.has(text)) return;
    seen.add(text);
    const places = new Error().stack?.matchAll(/[/]src[/](?!platform[/])([^/]+)[/]/g) ?? [];
    const [room] = [...places].map(([, name = '']) => name);
    if (room !== undefined) rooms.set(room, (rooms.get(room) ?? new Set()).add(text));
  };
  const { read, readOwn, query, queryLocked } = StatementRunner.prototype;
  const originals = { read, readOwn, query, queryLocked };
  await withOwn(action, (isOwn) => {
    const recorded = <Method extends (...parameters: never[]) => unknown>(method: Method): Method =>
      new Proxy(method, {
        apply(target, runner, parameters: unknown[]) {
          if (isOwn()) for (const text of parameters.slice(0, 2).flatMap(textIn)) add(text);
          return Reflect.apply(target, runner, parameters);
        },
      });
    StatementRunner.prototype.read = recorded(read);
    StatementRunner.prototype.readOwn = recorded(readOwn);
    StatementRunner.prototype.query = recorded(query);
    StatementRunner.prototype.queryLocked = recorded(queryLocked);
  }).finally(() => Object.assign(StatementRunner.prototype, originals));
  return rooms;
}

/** Returns the text of a statement, or of a parameter that is one. */
function textIn(parameter: unknown): string[] {
  const isStatement = typeof parameter === 'object' && parameter !== null && !Array.isArray(parameter);
  const text: unknown = isStatement ? Reflect.get(parameter, 'text') : parameter;
  return typeof text === 'string' ? [text] : [];
}

function statementIn(connection: object, [first, second]: unknown[]): Statement[] {
  const isObject = typeof first === 'object' && first !== null;
  const text: unknown = isObject ? Reflect.get(first, 'text') : first;
  const values: unknown = isObject ? Reflect.get(first, 'values') : second;
  return typeof text === 'string'
    ? [{ text: text.trim(), values: Array.isArray(values) ? values : [], connection }]
    : [];
}

/**
 * The same, without statements about keys (lookups and last uses), which occur at any time.
 * Through PgBouncer, also without the transaction around a single statement, which sets its limits.
 */
export async function requestStatementsOf(
  action: () => Promise<unknown>,
  isShared?: IsShared,
): Promise<string[]> {
  let open = 0;
  const isOfRequest = (text: string) => {
    if (/key_hash|SET last_used_at/.test(text)) return false;
    if (!throughPgBouncer) return true;
    if (text.startsWith('START TRANSACTION')) open += 1;
    if (text !== 'COMMIT') return !text.startsWith('BEGIN; SET LOCAL');
    if (open === 0) return false;
    open -= 1;
    return true;
  };
  return (await statementsOf(action, isShared)).filter(isOfRequest);
}

/** The methods of the application's repositories and queues, as `Class.method`. */
export interface RepositoryMethods {
  sources: Map<string, string>;
  /** The methods that ran since the call of {@link watchRepositories}. */
  ran: Set<string>;
  stop(): void;
}

/** Notes which methods of repositories and queues run. */
export function watchRepositories(app: INestApplication): RepositoryMethods {
  const [sources, ran] = [new Map<string, string>(), new Set<string>()];
  const originals: [prototype: object, name: string, descriptor: PropertyDescriptor][] = [];
  const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [
    ...module.providers.values(),
  ]);
  const instances: unknown[] = providers.map(({ instance }) => instance);
  for (const prototype of new Set(instances.flatMap(prototypesOf))) {
    const { name: className } = prototype.constructor;
    if (!/\w(?:Repository|Queue)$/.test(className)) continue;
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const method: unknown = descriptor.value;
      if (name === 'constructor' || typeof method !== 'function') continue;
      const label = `${className}.${name}`;
      sources.set(label, method.toString());
      originals.push([prototype, name, descriptor]);
      const noted = new Proxy(method, {
        apply(target, repository, parameters: unknown[]) {
          ran.add(label);
          return Reflect.apply(target, repository, parameters);
        },
      });
      Object.defineProperty(prototype, name, { ...descriptor, value: noted });
    }
  }
  const stop = () => {
    for (const [prototype, name, descriptor] of originals) Object.defineProperty(prototype, name, descriptor);
  };
  return { sources, ran, stop };
}

/** Returns the prototypes of an instance, but for `Object.prototype`. */
function prototypesOf(instance: unknown): object[] {
  const prototypes: object[] = [];
  let prototype: unknown = instance instanceof Object ? Object.getPrototypeOf(instance) : null;
  while (prototype instanceof Object) {
    prototypes.push(prototype);
    prototype = Object.getPrototypeOf(prototype);
  }
  return prototypes;
}
