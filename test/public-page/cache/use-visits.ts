import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'vitest';
import type { StatusPageDto } from '../../../src/status-pages/dto/status-page.dto.js';
import type { NewStatusPage } from '../../../src/status-pages/status-pages.service.js';
import type { TestDatabase } from '../../support/database.js';
import { onceAnswered } from '../../support/http-agent.js';
import { requestStatementsOf } from '../../support/statements.js';
import { type Tenant, type TestServer, useTenant, useTestServer } from '../../support/server.js';

/** Response to a visitor, as received. */
export interface Visit {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
  text: string;
}

/** Visits a URL as a client without a cache. */
export async function visit(
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Visit> {
  const asked = request(url, { headers, method }).end();
  const [answer] = await onceAnswered(asked);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const all = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      value === undefined ? value : String(value),
    ]),
  );
  return { status: answer.statusCode ?? 0, headers: all, body, text: body.toString() };
}

/** A server with a tenant, and helpers for tests of visits. */
export function useVisits(env?: Record<string, string>) {
  const server = useTestServer(env);
  const tenant: Tenant = useTenant(server);
  const page = (wanted: Partial<NewStatusPage> = {}): Promise<StatusPageDto> =>
    server.page(tenant, { slug: newSlug(), ...wanted });
  return {
    server,
    tenant,
    page,
    visit: (path: string, headers?: Record<string, string>, method?: string) =>
      visit(`${server.url}/status/${path}`, headers, method),
    change: async (id: string, json: object): Promise<void> => {
      const { status } = await server.ask(`/v1/status-pages/${id}${'slug' in json ? '/settings' : ''}`, {
        method: 'PATCH',
        key: tenant.key,
        json,
      });
      expect(status).toBe(200);
    },
  };
}

/** Returns the database of a server, for separate connections. */
export function databaseOf({ env }: TestServer): TestDatabase {
  const { DATABASE_URL = '', DATA_DIR = '' } = env;
  return { env: { DATABASE_URL, EMBEDDED: '', DATA_DIR }, drop: () => Promise.resolve() };
}

export function newSlug(): string {
  return `page-${randomUUID()}`;
}

/**
 * Returns the statements for visitors while `action` runs, without the version check and statements about API keys.
 * Visits share the statement that looks up slugs, so an earlier visit can have started its timer.
 */
export async function visitorStatementsOf(action: () => Promise<unknown>): Promise<string[]> {
  const statements = await requestStatementsOf(action, (text) => text.includes('slug = ANY'));
  return statements.filter((text) => !text.includes('id = ANY($1::uuid[]) AND is_public'));
}

/** Time after the end of a minute in which visitors can get copies of the former minute. */
const STALE_MS = 2_000;

/** Runs a test that counts renderings within one minute, because pages are rendered again when a minute ends. */
export async function withinMinute(action: () => Promise<void>): Promise<void> {
  for (;;) {
    const minute = Math.floor((Date.now() - STALE_MS) / 60_000);
    const error: unknown = await action().then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('no reason'),
    );
    if (error === undefined) return;
    if (minute === Math.floor(Date.now() / 60_000)) throw error;
  }
}

/** Returns the number of rendered documents. Each document is read in one transaction. */
export function renderingsIn(statements: string[]): number {
  return statements.filter((text) => text.startsWith('START TRANSACTION')).length;
}

/** Returns the headers that are equal for all visits of the same part. */
export function constantHeaders({ headers }: Visit): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'x-request-id'),
  );
}
