import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll } from 'vitest';
import { API_DOCUMENTS, FEED_FORMATS, type Part, pathOf } from '../../../src/page-model/parts.js';
import type { NewStatusPage } from '../../../src/status-pages/status-pages.service.js';
import { domainsOf } from '../../domains/use-domains.js';
import { SMALL_SVG } from '../../support/resources.js';
import { type Visit, visit } from '../cache/use-visits.js';
import { useVisits } from '../use-visits.js';

/** IDs of what the page shows. */
interface Shown {
  monitor: string;
  incident: string;
  maintenance: string;
  /** File name of the logo. */
  logo: string;
}

/** Parts of a page by kind, so that a new kind cannot be forgotten. */
const PARTS: Record<Part['kind'], (shown: Shown) => Part[]> = {
  overview: () => [{ kind: 'overview' }, { kind: 'overview', lang: 'de' }],
  monitor: ({ monitor: id }) => [{ kind: 'monitor', id }],
  history: () => [{ kind: 'history', month: new Date().toISOString().slice(0, 7) }],
  incident: ({ incident: id }) => [{ kind: 'incident', id }],
  maintenance: ({ maintenance: id }) => [{ kind: 'maintenance', id }],
  subscribe: () => [{ kind: 'subscribe' }],
  feed: () => FEED_FORMATS.map((format) => ({ kind: 'feed', format })),
  calendar: () => [{ kind: 'calendar' }],
  api: () => API_DOCUMENTS.map((document) => ({ kind: 'api', document })),
  badge: () => [
    { kind: 'badge', format: 'svg' },
    { kind: 'badge', format: 'json' },
  ],
  'og-image': () => [{ kind: 'og-image' }],
  embed: () => [{ kind: 'embed' }],
  banner: () => [{ kind: 'banner' }],
  image: ({ logo }) => [
    { kind: 'image', name: 'logo', hash: /-([0-9a-f]{16})\./.exec(logo)?.[1] ?? '', extension: 'svg' },
  ],
};

/** A server with a page that shows one of everything on a verified domain. */
export function useDomain() {
  const visits = useVisits();
  const { server, tenant, monitorIn, incident, maintenance } = visits;
  const domains = domainsOf(server);
  const page = {
    id: '',
    slug: '',
    domain: '',
    shown: { monitor: '', incident: '', maintenance: '', logo: '' },
  };

  beforeAll(async () => {
    const monitor = await monitorIn('operational');
    const { id } = await incident({ [monitor]: 'partial_outage' });
    const window = await maintenance(1, 2, { monitor_ids: [monitor] });
    Object.assign(page, await newPage({ sections: [{ id: 'all', title: 'All', monitor_ids: [monitor] }] }));
    const logo = await upload(page.id);
    Object.assign(page.shown, { monitor, incident: id, maintenance: window, logo });
  });

  /** Creates a page with a verified domain. */
  async function newPage(fields: Partial<NewStatusPage> = {}, domain = newDomain()) {
    const { id, slug } = await domains.page(tenant, domain, { subscribe_enabled: true, ...fields });
    return { id, slug, domain };
  }

  async function upload(id: string): Promise<string> {
    const { status, body } = await server.ask<{ data: { logo: { url: string } } }>(
      `/v1/status-pages/${id}/branding/logo`,
      { method: 'PUT', key: tenant.key, headers: { 'Content-Type': 'image/svg+xml' }, body: SMALL_SVG },
    );
    if (status !== 200) throw new Error(`upload: ${status}`);
    return body.data.logo.url;
  }

  /** Requests a path by a host. */
  const on = (
    host: string,
    path: string,
    headers: Record<string, string> = {},
    method?: string,
  ): Promise<Visit> => visit(server.url + path, { ...headers, host }, method);

  const raw = (request: string): Promise<string> => sendRaw(server.url, request);

  /** Returns the paths of all parts on the domain, with their queries. */
  const paths = (): string[] =>
    Object.values(PARTS)
      .flatMap((partsOf) => partsOf(page.shown))
      .map((part) => pathOf(part))
      .map((path) => (path.startsWith('/') ? path : `/${path}`));

  return { ...visits, domains, shownPage: page, newPage, on, raw, paths };
}

export const newDomain = (): string => `status-${randomUUID()}.example.com`;

/** Sends requests as they are, of which the last closes the connection, and returns the responses. */
export async function sendRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(Buffer.from(request, 'latin1'));
  return text(socket);
}

/** Sends a form to a path on a host, and returns the response. */
export function sendForm(
  url: string,
  host: string,
  path: string,
  fields: Record<string, string>,
): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    `Content-Length: ${body.length}`,
    'Content-Type: application/x-www-form-urlencoded',
  ];
  return sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`);
}
