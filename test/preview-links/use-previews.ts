import type { PreviewLinkDto } from '../../src/status-pages/preview-links/dto/preview-link.dto.js';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import {
  type One,
  type Tenant,
  type TestServer,
  useTenant,
  useTestServer,
  type Wire,
} from '../support/server.js';

/** Response to a visitor. */
export interface Visit {
  status: number;
  headers: Headers;
  text: string;
}

/** A server with a tenant, and helpers for tests of preview links. */
export function usePreviews(): {
  server: TestServer;
  tenant: Tenant;
  privatePage: () => Promise<StatusPageDto>;
  tokenOf: (pageId: string) => Promise<string>;
  visit: (slug: string, token?: string, part?: string, init?: RequestInit) => Promise<Visit>;
} {
  const server = useTestServer();
  const tenant = useTenant(server);
  return {
    server,
    tenant,
    privatePage: () => server.page(tenant, { is_public: false }),
    /** Creates a link. Returns its token. */
    tokenOf: async (pageId) => {
      const path = `/v1/status-pages/${pageId}/preview-links`;
      const { body } = await server.ask<One<Wire<PreviewLinkDto>>>(path, { method: 'POST', key: tenant.key });
      return new URL(body.data.url).searchParams.get('preview') ?? '';
    },
    /** Visits a part of a page, by default the page itself. */
    visit: async (slug, token, part = '', init = {}) => {
      const url = new URL(`${server.url}/status/${slug}${part}`);
      if (token !== undefined) url.searchParams.set('preview', token);
      const response = await fetch(url, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}
