import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { StatusPageDto } from '../../../src/status-pages/dto/status-page.dto.js';
import type { NewStatusPage } from '../../../src/status-pages/status-pages.service.js';
import { useTenant, useTestServer } from '../../support/server.js';

/** A response to a visitor. */
export interface Visited {
  status: number;
  headers: Headers;
  text: string;
}

/** The fields of a form, as a browser sends them. */
export type Fields = [name: string, value: string][];

/** A form that subscribes an address to everything. */
export const everything = (email: string): Fields => [
  ['email', email],
  ['systems', 'all'],
  ['detail', 'all'],
  ['maintenances', 'on'],
];

let networks = 0;

/** Returns an address of another network than all before. */
export const newNetwork = (): string => `2001:db8:0:${(networks += 1).toString(16)}::1`;

/** A server that writes mail to files, with helpers for the visitors who subscribe. */
export function useSubscribe(env: Record<string, string> = {}) {
  const mails = mkdtempSync(join(tmpdir(), 'mails-'));
  const server = useTestServer({ MAIL_DIR: mails, TRUST_PROXY: '1', ...env });
  const tenant = useTenant(server);
  afterAll(() => rmSync(mails, { recursive: true, force: true }));

  /** Requests a path below `/status/`. */
  async function visit(path: string, init?: RequestInit): Promise<Visited> {
    const response = await fetch(`${server.url}/status/${path}`, { redirect: 'manual', ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends a form to a path below `/status/`, each from another network. */
  const send = (path: string, fields: Fields = [], headers: Record<string, string> = {}): Promise<Visited> =>
    visit(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'X-Forwarded-For': newNetwork(), ...headers },
    });

  /** Creates a page with a form. */
  const page = (fields: Partial<NewStatusPage> = {}): Promise<StatusPageDto> =>
    server.page(tenant, { subscribe_enabled: true, ...fields });

  /** Returns the forms that were stored for a page. */
  const requests = ({ id }: { id: string }): Promise<Record<string, unknown>[]> =>
    server.sql(
      `SELECT email, monitor_ids, detail, maintenances FROM subscription_requests WHERE status_page_id = $1 ORDER BY id`,
      [id],
    );

  return { server, tenant, visit, send, page, requests };
}

/** Returns the elements of a document that match, such as `<input name="email"…>`. */
export const tags = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(new RegExp(pattern, 'gs'))].map(([tag]) => tag);
