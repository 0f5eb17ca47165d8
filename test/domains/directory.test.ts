import { randomUUID } from 'node:crypto';
import { HttpAdapterHost } from '@nestjs/core';
import { describe, expect, it } from 'vitest';
import { DomainDirectory } from '../../src/domains/domain-directory.js';
import { PublicUrl } from '../../src/platform/config/public-url.js';
import { DomainsRepository } from '../../src/domains/domains.repository.js';
import { useTenant, useTestServer, withinTwoSeconds } from '../support/server.js';
import { domainsOf } from './use-domains.js';

const server = useTestServer();
const tenant = useTenant(server);
const domains = domainsOf(server);

const newDomain = (): string => `${randomUUID()}.example`;

/** The page that a process serves on a domain. */
const pageOn = (domain: string): string | undefined => domains.directory().get(domain)?.page_id;

const ask = (path: string, method: string, json?: object) =>
  server.ask(`/v1/status-pages/${path}`, { method, key: tenant.key, json });

describe('the directory of domains', () => {
  it('contains a verified domain and its page within two seconds', async () => {
    const domain = newDomain();
    const { id, slug } = await server.page(tenant, { custom_domain: domain });
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [id]);
    await withinTwoSeconds(async () => pageOn(domain) === id);
    expect(domains.directory().get(domain)).toMatchObject({ domain, page_id: id, slug });
    expect(domains.directory().ofPage(id)).toBe(domain);
  });

  it('contains no pending and no lost domain', async () => {
    const domain = newDomain();
    const { id } = await server.page(tenant, { custom_domain: domain });
    await domains.refresh();
    expect(pageOn(domain)).toBeUndefined();
    await domains.verify(id);
    expect(pageOn(domain)).toBe(id);
    await domains.set(id, `status = 'lost'`);
    expect(pageOn(domain)).toBeUndefined();
    expect(domains.directory().ofPage(id)).toBeUndefined();
  });

  it('contains private pages, because visitors can enter them', async () => {
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain, { is_public: false });
    expect(pageOn(domain)).toBe(id);
  });

  it('contains no host of PUBLIC_URL, which serves the API', async () => {
    const { id } = await server.page(tenant);
    await server.sql(`UPDATE status_pages SET custom_domain = 'localhost' WHERE id = $1`, [id]);
    await domains.verify(id);
    expect(pageOn('localhost')).toBeUndefined();
    await domains.directory().reload();
    expect(pageOn('localhost')).toBeUndefined();
  });

  it('follows a change of the slug', async () => {
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain);
    const slug = `s-${randomUUID().slice(0, 8)}`;
    await ask(`${id}/settings`, 'PATCH', { slug });
    await domains.refresh();
    expect(domains.directory().get(domain)?.slug).toBe(slug);
  });

  it('no longer contains a domain that the page has changed or removed', async () => {
    const [former, next] = [newDomain(), newDomain()];
    const { id } = await domains.page(tenant, former);
    await ask(`${id}/settings`, 'PATCH', { custom_domain: next });
    await domains.refresh();
    expect([pageOn(former), pageOn(next)]).toEqual([undefined, undefined]);
    await domains.verify(id);
    expect([pageOn(former), pageOn(next)]).toEqual([undefined, id]);
    expect(domains.directory().ofPage(id)).toBe(next);
    await ask(`${id}/settings`, 'PATCH', { custom_domain: null });
    await domains.refresh();
    expect(pageOn(next)).toBeUndefined();
  });

  it('no longer contains a deleted page; a restored one has to prove its domain again', async () => {
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain);
    await ask(id, 'DELETE');
    await domains.refresh();
    expect(pageOn(domain)).toBeUndefined();
    expect((await ask(`${id}/restore`, 'POST', {})).status).toBe(200);
    await domains.refresh();
    expect(pageOn(domain)).toBeUndefined();
    expect(
      await server.sql('SELECT domain, status FROM status_page_domains WHERE status_page_id = $1', [id]),
    ).toEqual([{ domain, status: 'pending' }]);
  });

  it('calls its listeners with each page whose domain, slug or visibility has changed', async () => {
    const changed: string[] = [];
    domains.directory().onChange((ids) => changed.push(...ids));
    const domain = newDomain();
    const { id } = await domains.page(tenant, domain);
    expect(changed).toEqual([id]);
    await ask(id, 'PATCH', { is_public: false });
    await domains.refresh();
    expect(changed).toEqual([id, id]);
    await ask(id, 'PATCH', { name: 'Renamed' });
    await domains.refresh();
    expect(changed).toEqual([id, id]);
  });

  it('finds in a complete read what the changes did not contain', async () => {
    const [added, removed] = [newDomain(), newDomain()];
    const { id: other } = await domains.page(tenant, removed);
    const { id } = await server.page(tenant, { custom_domain: added });
    const repository = server.app.get(DomainsRepository, { strict: false });
    const directory = new DomainDirectory(repository, server.app.get(PublicUrl), new HttpAdapterHost());
    await directory.refresh();
    expect([directory.get(added), directory.get(removed)?.page_id]).toEqual([undefined, other]);
    await server.sql(`UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1`, [id]);
    await server.sql(`UPDATE status_page_domains SET status = 'lost' WHERE status_page_id = $1`, [other]);
    await server.sql('DELETE FROM domain_changes');
    await directory.refresh();
    expect([directory.get(added), directory.get(removed)?.page_id]).toEqual([undefined, other]);
    await directory.reload();
    expect([directory.get(added)?.page_id, directory.get(removed)]).toEqual([id, undefined]);
  });
});
