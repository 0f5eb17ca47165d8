import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ParsedMail, simpleParser } from 'mailparser';
import { afterAll } from 'vitest';
import { clientNetworkOf } from '../../src/platform/server/client-address.js';
import { RequestCounts, type Subject } from '../../src/platform/server/request-counts.js';
import type { NewStatusPage } from '../../src/status-pages/status-pages.service.js';
import { until, useTenant, useTestServer } from '../support/server.js';
import { useAccess } from './use-access.js';

/** The path of a part. */
export const MONTH = `/history?month=${new Date().toISOString().slice(0, 7)}`;

/** A response to a visitor. */
export interface Visited {
  status: number;
  headers: Headers;
  text: string;
}

/** A visitor who keeps cookies, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly origin: string,
    readonly headers: Record<string, string> = {},
  ) {}

  /** The client network that limits count. */
  get network(): string {
    return clientNetworkOf(this.headers['x-forwarded-for'] ?? '127.0.0.1');
  }

  async visit(path: string, init: RequestInit = {}): Promise<Visited> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(new URL(path, this.origin), {
      redirect: 'manual',
      ...init,
      headers: { ...this.headers, ...(cookie !== '' && { cookie }) },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0(;|$)/.test(set)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  send(path: string, fields: Record<string, string> = {}): Promise<Visited> {
    return this.visit(path, { method: 'POST', body: new URLSearchParams(fields) });
  }
}

let networks = 0;

/** A server that delivers mail to files, with helpers for visitors of private pages. */
export function useEntry(env: Record<string, string> = {}) {
  const mails = mkdtempSync(join(tmpdir(), 'mails-'));
  const server = useTestServer({ MAIL_DIR: mails, TRUST_PROXY: '1', DELIVERY: 'on', ...env });
  const tenant = useTenant(server);
  const access = useAccess(server, tenant);
  afterAll(() => rmSync(mails, { recursive: true, force: true }));

  /** A browser in a network of its own, or in the network of another browser. */
  const browser = (near?: Browser): Browser =>
    new Browser(
      server.url,
      near?.headers ?? { 'x-forwarded-for': `2001:db8:1:${(networks += 1).toString(16)}::1` },
    );

  /** Creates a private page with rules. */
  async function page(
    rules: object,
    fields: Partial<NewStatusPage> = {},
  ): Promise<{ id: string; slug: string }> {
    const created = await server.page(tenant, { is_public: false, ...fields });
    await change(created, rules);
    return { id: created.id, slug: created.slug };
  }

  async function change({ id }: { id: string }, rules: object): Promise<void> {
    const all = { emails: [], email_domains: [], networks: [], oidc: null, password: null, ...rules };
    const { status, text } = await access.put(id, all);
    if (status !== 200) throw new Error(text);
  }

  /** Returns the messages to an address so far. */
  async function mailTo(address: string): Promise<ParsedMail[]> {
    const names = readdirSync(mails).filter((name) => name.endsWith('.eml'));
    const parsed = await Promise.all(
      names.toSorted().map((name) => simpleParser(readFileSync(join(mails, name)))),
    );
    return parsed.filter(({ to }) =>
      [to].flat().some((one) => one?.text.toLowerCase().includes(address.toLowerCase())),
    );
  }

  /** Waits for a number of messages to an address. Returns the path of the link in the last one. */
  async function linkTo(address: string, count = 1): Promise<string> {
    const found = await until(async () => {
      const all = await mailTo(address);
      return all.length >= count && all;
    });
    const [link = ''] = /https?:\/\/\S+\/access\/email\/\S+/.exec(found.at(-1)?.text ?? '') ?? [];
    const { pathname, search } = new URL(link);
    return pathname + search;
  }

  /** Waits until all forms have been handled. */
  const handled = () =>
    until(async () => (await server.sql<unknown[]>('SELECT FROM access_email_requests')).length === 0);

  /** Counts this many requests of a limit, instead of sending them. */
  async function useUp(limit: Subject, count: number): Promise<void> {
    const counts = server.app.get(RequestCounts);
    for (let counted = 0; counted < count; counted++) await counts.add(limit);
  }

  return { server, tenant, access, useUp, browser, page, change, mails, mailTo, linkTo, handled };
}
