import { API_DOCUMENTS, FEED_FORMATS, type Part, partAt, pathOf } from '../../src/page-model/parts.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { SMALL_SVG } from '../support/resources.js';
import type { Tenant, TestServer } from '../support/server.js';
import { useAccess } from './use-access.js';
import { useBranding } from '../branding/use-branding.js';

export const PASSWORD = 'correct horse battery staple';

/** A text that only visitors who may see the page get. */
export const SECRET = 'Billing database';

/** Response to a visitor. */
export interface Visit {
  status: number;
  headers: Headers;
  text: string;
}

/** A visit: the token of an access link, a cookie, and further options. */
export interface Visiting {
  token?: string;
  cookie?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
  form?: Record<string, string>;
}

/** A private page with every kind of part. */
export interface FullPage extends StatusPageDto {
  /** All parts by their kind, so that the type check finds a kind that is missing. */
  parts: Record<Part['kind'], Part[]>;
}

/** Returns the paths of all parts of a page. */
export function pathsOf({ slug, parts }: FullPage): string[] {
  return Object.values(parts)
    .flat()
    .map((part) => `/status/${slug}${pathOf(part)}`);
}

/** Visitors of private pages of a server. */
export function visitorsOf(serverUrl: () => string) {
  const visit = async (
    path: string,
    { token, cookie, headers, method, form }: Visiting = {},
  ): Promise<Visit> => {
    const url = new URL(serverUrl() + path);
    if (token !== undefined) url.searchParams.set('token', token);
    const response = await fetch(url, {
      redirect: 'manual',
      method: method ?? (form ? 'POST' : 'GET'),
      headers: { ...(cookie !== undefined && { Cookie: cookie }), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** Sends the form with the password. */
  const enter = (slug: string, password = PASSWORD, to = '', visiting: Visiting = {}): Promise<Visit> =>
    visit(`/status/${slug}/access/password`, { form: { password, to }, ...visiting });

  /** Starts a session. Returns its cookie. */
  const sessionOf = async (slug: string, visiting: Visiting = {}): Promise<string> => {
    const { status, headers } = await enter(slug, PASSWORD, '', visiting);
    const [cookie] = headers.getSetCookie();
    if (status !== 303 || cookie === undefined) throw new Error(`no session: ${status}`);
    return cookie.split(';', 1)[0] ?? '';
  };

  return { visit, enter, sessionOf };
}

/** Private pages with their visitors. */
export function useGate(server: TestServer, tenant: Tenant) {
  const access = useAccess(server, tenant);
  const branding = useBranding(server, tenant);

  /** Creates a private page with a monitor, an incident, a maintenance window, a logo, feeds and the form to subscribe. */
  const fullPage = async (fields: object = {}): Promise<FullPage> => {
    const [monitor_id = ''] = await server.monitors(tenant, 1);
    await server.ask(`/v1/monitors/${monitor_id}`, {
      method: 'PATCH',
      key: tenant.key,
      json: { name: SECRET },
    });
    const page = await server.page(tenant, {
      is_public: false,
      sections: [{ id: 'core', title: SECRET, monitor_ids: [monitor_id] }],
      ...fields,
    });
    await server.ask(`/v1/status-pages/${page.id}/settings`, {
      method: 'PATCH',
      key: tenant.key,
      json: { subscribe_enabled: true },
    });
    const create = async (path: string, json: object): Promise<string> => {
      const { body } = await server.ask(path, {
        method: 'POST',
        key: tenant.key,
        json: { project_id: tenant.project_id, status_page_ids: [page.id], title: SECRET, ...json },
      });
      return body.data.id;
    };
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const incident = await create('/v1/incidents', { body: SECRET });
    const maintenance = await create('/v1/maintenances', { starts_at: inHours(1), ends_at: inHours(2) });
    await branding.put(page.id, 'logo', SMALL_SVG);
    const { logo } = (await branding.get(page.id)).body.data;
    const image = partAt(`/${logo?.url.split('/').at(-1)}`);
    if (!image) throw new Error('the page has no logo');
    return {
      ...page,
      parts: {
        overview: [{ kind: 'overview' }, { kind: 'overview', lang: 'de' }],
        monitor: [{ kind: 'monitor', id: monitor_id }],
        history: [{ kind: 'history', month: new Date().toISOString().slice(0, 7) }],
        incident: [{ kind: 'incident', id: incident }],
        maintenance: [{ kind: 'maintenance', id: maintenance }],
        subscribe: [{ kind: 'subscribe' }],
        feed: FEED_FORMATS.map((format): Part => ({ kind: 'feed', format })),
        calendar: [{ kind: 'calendar' }],
        api: API_DOCUMENTS.map((document): Part => ({ kind: 'api', document })),
        badge: [
          { kind: 'badge', format: 'svg' },
          { kind: 'badge', format: 'json' },
        ],
        'og-image': [{ kind: 'og-image' }],
        embed: [{ kind: 'embed' }],
        banner: [{ kind: 'banner' }],
        image: [image],
      },
    };
  };

  return { ...access, ...visitorsOf(() => server.url), branding, fullPage };
}
