import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { DomainChecks } from '../../src/domains/domain-checks.js';
import { recordOf } from '../../src/domains/domain-record.js';
import type { StatusPageDomainDto } from '../../src/domains/dto/status-page-domain.dto.js';
import { DnsServer } from '../support/dns-server.js';
import { type One, type Tenant, TestServer, useTenant, type Wire } from '../support/server.js';
import { domainsOf } from './use-domains.js';

export type WireDomain = Wire<StatusPageDomainDto>;

/** A page and its domain. */
export interface PageWithDomain {
  id: string;
  domain: string;
}

/** A server that uses a DNS server of the test, with a tenant. */
export function useChecks(env: Record<string, string> = {}) {
  const dns = new DnsServer();
  const server = new TestServer();
  beforeAll(async () => {
    await dns.start();
    await server.start({ DNS_SERVERS: dns.address, ...env });
  });
  afterAll(async () => {
    await server.stop();
    dns.stop();
  });
  const tenant = useTenant(server);
  const domains = domainsOf(server);

  const nameOf = (domain: string): string => `_status-pages.${domain}`;

  /** The record of a page, for the DNS server. */
  const txtOf = ({ id, domain }: PageWithDomain): string =>
    `TXT ${recordOf({ domain, status_page_id: id }).value}`;

  const checks = (): DomainChecks => server.app.get(DomainChecks, { strict: false });

  return {
    server,
    tenant,
    dns,
    domains,
    checks,
    txtOf,

    /** Sets the TXT records of a domain. */
    publish: (domain: string, ...records: string[]) => dns.set(nameOf(domain), records),

    /** Creates a page with a pending claim. */
    async claim(owner: Tenant = tenant, domain = `${randomUUID()}.example`): Promise<PageWithDomain> {
      const { id } = await server.page(owner, { custom_domain: domain });
      return { id, domain };
    },

    get: (id: string, key = tenant.key) =>
      server.ask<One<WireDomain>>(`/v1/status-pages/${id}/domain`, { key }),

    verify: (id: string, key = tenant.key) =>
      server.ask<One<WireDomain>>(`/v1/status-pages/${id}/domain/verify`, { method: 'POST', key }),

    /** The state of a claim in the database. */
    async stateOf(id: string): Promise<{ status: string; missing: boolean; next_in: number } | undefined> {
      const [row] = await server.sql<{ status: string; missing: boolean; next_in: number }[]>(
        `SELECT status, missing_since IS NOT NULL AS missing,
                extract(epoch FROM next_check_at - clock_timestamp())::float AS next_in
           FROM status_page_domains WHERE status_page_id = $1`,
        [id],
      );
      return row;
    },

    /** Makes a claim due, and runs the checks that are due, as a delivering process does. */
    async runChecks(...ids: string[]): Promise<void> {
      await server.sql(
        'UPDATE status_page_domains SET next_check_at = now() - make_interval(secs => 0.001) WHERE status_page_id = ANY($1)',
        [ids],
      );
      const { all: tasks } = server.app.get(PeriodicTasks, { strict: false });
      await tasks.find(({ name }) => name === 'domains')?.run();
      await checks().settle();
      await domains.refresh();
    },
  };
}
