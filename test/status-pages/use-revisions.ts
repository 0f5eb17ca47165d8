import type { RevisionDto, RevisionWithPageDto } from '../../src/status-pages/revisions/dto/revision.dto.js';
import type { Answer, One, ListPage, Tenant, TestServer, Wire, WirePage } from '../support/server.js';

export type WireRevision = Wire<RevisionDto>;
export type WireRevisionWithPage = Wire<Omit<RevisionWithPageDto, 'page'>> & { page: WirePage };

/** Response to a restore. */
export interface Restored {
  data: WirePage;
  omitted_monitor_ids: string[];
}

/** Requests of a tenant to revisions and deleted pages. */
export function useRevisions(server: TestServer, tenant: Pick<Tenant, 'key'>) {
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    server.ask<Restored>(path, { method: 'POST', key: tenant.key, json, headers });

  return {
    list: (id: string, query: Record<string, string> = {}): Promise<Answer<ListPage<WireRevision>>> =>
      server.ask(`/v1/status-pages/${id}/revisions?${new URLSearchParams(query)}`, { key: tenant.key }),

    get: (id: string, number: number | string): Promise<Answer<One<WireRevisionWithPage>>> =>
      server.ask(`/v1/status-pages/${id}/revisions/${number}`, { key: tenant.key }),

    restoreRevision: (id: string, number: number, headers: Record<string, string> = {}) =>
      post(`/v1/status-pages/${id}/revisions/${number}/restore`, {}, headers),

    settings: (id: string, json: object): Promise<Answer<One<WirePage>>> =>
      server.ask(`/v1/status-pages/${id}/settings`, { method: 'PATCH', key: tenant.key, json }),

    remove: async (path: string): Promise<number> =>
      (await server.ask(path, { method: 'DELETE', key: tenant.key })).status,

    restore: (id: string, json: object = {}) => post(`/v1/status-pages/${id}/restore`, json),

    read: (id: string): Promise<Answer<One<WirePage>>> =>
      server.ask(`/v1/status-pages/${id}`, { key: tenant.key }),
  };
}

/** Returns one section of these monitors. */
export const sectionsOf = (...monitor_ids: string[]) => [{ id: 'core', title: 'Core', monitor_ids }];
