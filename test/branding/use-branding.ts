import type { Answer, One, Tenant, TestServer } from '../support/server.js';

/** A picture in a response. */
export interface WireImage {
  url: string;
  content_type: string;
  width: number;
  height: number;
  size: number;
}

/** A branding in a response. */
export interface WireBranding {
  language: string;
  time_zone: string;
  website_url: string | null;
  support_url: string | null;
  links: { label: string; url: string; placement: string }[];
  theme: string;
  logo: WireImage | null;
  logo_dark: WireImage | null;
  favicon: WireImage | null;
  status_page_id: string;
  project_id: string;
  updated_at: string;
}

/** The requests on the branding of status pages. */
export function useBranding(server: TestServer, tenant: Tenant) {
  const path = (id: string) => `/v1/status-pages/${id}/branding`;
  return {
    get: (id: string): Promise<Answer<One<WireBranding>>> => server.ask(path(id), { key: tenant.key }),
    patch: (
      id: string,
      json: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer<One<WireBranding>>> =>
      server.ask(path(id), { method: 'PATCH', key: tenant.key, json, headers }),
    /** @param body a file */
    put: (
      id: string,
      name: string,
      body?: string | Uint8Array,
      headers: Record<string, string> = { 'Content-Type': 'application/octet-stream' },
    ): Promise<Answer<One<WireBranding>>> =>
      server.ask(`${path(id)}/${name}`, { method: 'PUT', key: tenant.key, ...(body && { body }), headers }),
    remove: (id: string, name: string, headers: Record<string, string> = {}): Promise<Answer> =>
      server.ask(`${path(id)}/${name}`, { method: 'DELETE', key: tenant.key, headers }),
  };
}
