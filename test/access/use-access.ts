import type { Answer, ListPage, One, Tenant, TestServer } from '../support/server.js';

/** Rules of who may see a page, in a response. */
export interface WireAccess {
  has_password: boolean;
  emails: string[];
  email_domains: string[];
  networks: string[];
  oidc: { issuer: string; client_id: string; email_domains: string[]; has_client_secret: boolean } | null;
  status_page_id: string;
  project_id: string;
  updated_at: string;
}

/** A link with a token, in a response. */
export interface WireLink {
  id: string;
  description: string;
  last_used_at: string | null;
  status_page_id: string;
  created_at: string;
  /** Only in the response to its creation. */
  token: string;
  url: string;
}

/** The requests on who may see a status page. */
export function useAccess(server: TestServer, tenant: Tenant) {
  const path = (id: string) => `/v1/status-pages/${id}/access`;
  return {
    get: (id: string): Promise<Answer<One<WireAccess>>> => server.ask(path(id), { key: tenant.key }),
    put: (
      id: string,
      json: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer<One<WireAccess>>> =>
      server.ask(path(id), { method: 'PUT', key: tenant.key, json, headers }),
    links: (id: string, query: Record<string, string> = {}): Promise<Answer<ListPage<WireLink>>> =>
      server.ask(`${path(id)}/links?${new URLSearchParams(query)}`, { key: tenant.key }),
    addLink: (id: string, description = 'A feed reader'): Promise<Answer<One<WireLink>>> =>
      server.ask(`${path(id)}/links`, { method: 'POST', key: tenant.key, json: { description } }),
    removeLink: (id: string, link: string): Promise<Answer> =>
      server.ask(`${path(id)}/links/${link}`, { method: 'DELETE', key: tenant.key }),
  };
}
