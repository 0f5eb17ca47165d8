import { expect, it } from 'vitest';
import { FIXED_PARTS, pathOf } from '../../src/page-model/parts.js';
import { type Resource, RESOURCES } from '../support/resources.js';
import { type Tenant, useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Fields whose text a page can show. */
const TEXTS = ['title', 'name', 'body', 'description'];

/** Parts that contain text. Drawing a picture takes a second. */
const PARTS = FIXED_PARTS.filter(({ kind }) => kind !== 'og-image');

/**
 * Creates one resource, with a word in each of its texts.
 * @returns whether it belongs to the status page
 */
async function makeNamed(
  { path, owner, table, create }: Resource,
  of: Tenant,
  word: string,
  status_page_id: string,
): Promise<boolean> {
  const sample = await create(server, of);
  const texts = TEXTS.filter((name) => typeof sample[name] === 'string');
  const json = {
    ...sample,
    ...Object.fromEntries(texts.map((name) => [name, `${word}-${table}`])),
    ...(owner === 'project' && { project_id: of.project_id }),
    ...('status_page_id' in sample && { status_page_id }),
  };
  const { status, text } = await server.ask<unknown>(path, { method: 'POST', key: tenant.key, json });
  expect([path, status, text]).toEqual([path, 201, expect.any(String)]);
  return 'status_page_id' in sample;
}

it('a page shows nothing from another project, and nothing from another page', async () => {
  const elsewhere = { ...tenant, project_id: await server.project(tenant.organization_id) };
  const shown = await server.page(tenant);
  const beside = await server.page(tenant);
  const foreign = await server.page(elsewhere);
  for (const resource of RESOURCES.filter(({ owner }) => owner !== 'organization')) {
    const isOfPage = await makeNamed(resource, tenant, 'own', shown.id);
    await makeNamed(resource, elsewhere, 'foreign', foreign.id);
    if (isOfPage) await makeNamed(resource, tenant, 'foreign', beside.id);
  }
  const texts: string[] = [];
  for (const part of PARTS) {
    const response = await fetch(`${server.url}/status/${shown.slug}${pathOf(part)}`);
    const text = await response.text();
    expect([part, response.status, /foreign-\w+/.exec(text)?.[0]]).toEqual([part, 200, undefined]);
    texts.push(text);
  }
  for (const table of ['incidents', 'maintenances']) expect(texts.join()).toContain(`own-${table}`);
});
