import { describe, expect, it } from 'vitest';
import { type Monitor, type StatusPage, StatusPagesError } from '../../clients/typescript/src/index.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

/** Expects a call to fail with this code. */
async function expectCode(call: Promise<unknown>, code: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ code });
  await expect(call).rejects.toBeInstanceOf(StatusPagesError);
}

describe('typed client with only the first key', () => {
  it('manages a project, 15 monitors, a status page and the key', async () => {
    const { key, organization_id } = await server.tenant();
    const client = server.client(key);

    const me = await client.me();
    expect(me).toMatchObject({ organization_id, project_ids: null, expires_at: null });

    const project = await client.projects.create({ name: 'Acme' });
    const { id: project_id } = project;
    expect(await client.projects.get(project_id)).toEqual(project);

    const monitors: Monitor[] = [];
    for (let number = 1; number <= 15; number++)
      monitors.push(await client.monitors.create({ project_id, name: `Monitor ${number}` }));
    const listed = await client.monitors.list({ project_id, limit: 4 }).toArray();
    expect(listed).toEqual(monitors.toReversed());
    const [first] = monitors;
    if (!first) throw new Error('no monitor');
    const described = await client.monitors.update(first.id, { description: 'The first.' });
    expect(await client.monitors.get(first.id)).toEqual(described);

    const sections = ['Core', 'Regions', 'Integrations'].map((title, index) => ({
      id: title.toLowerCase(),
      title,
      monitor_ids: monitors.slice(index * 5, index * 5 + 5).map(({ id }) => id),
    }));
    const page = await client.statusPages.create({ project_id, name: 'Acme Cloud', sections });
    expect(page).toMatchObject({ project_id, slug: 'acme-cloud', sections });

    const pages: StatusPage[] = [];
    for await (const one of client.statusPages.list({ project_id })) pages.push(one);
    expect(pages).toEqual([page]);
    expect(await client.statusPages.get(page.id)).toEqual(page);

    const updated = await client.statusPages.update(
      page.id,
      { name: 'Acme', sections: sections.toReversed() },
      { ifUnchanged: page },
    );
    expect(updated.sections).toEqual(sections.toReversed());
    await expectCode(
      client.statusPages.update(page.id, { name: 'Too late' }, { ifUnchanged: page }),
      'precondition_failed',
    );
    const settings = { slug: 'acme-inc', custom_domain: 'status.acme.example', history_days: 30 };
    expect(
      await client.statusPages.updateSettings(page.id, settings, { ifUnchanged: updated }),
    ).toMatchObject(settings);

    await client.monitors.delete(first.id);
    const { sections: left } = await client.statusPages.get(page.id);
    expect(left.flatMap(({ monitor_ids }) => monitor_ids)).toHaveLength(14);

    await expectCode(client.projects.delete(project_id), 'conflict');
    await client.statusPages.delete(page.id);
    await expectCode(client.statusPages.get(page.id), 'not_found');
    expect(await client.statusPages.list({ project_id }).toArray()).toEqual([]);
    for (const { id } of monitors.slice(1)) await client.monitors.delete(id);
    const renamed = await client.projects.update(
      project_id,
      { name: 'Acme, gone' },
      { ifUnchanged: project },
    );
    await client.projects.delete(project_id, { ifUnchanged: renamed.updated_at });
    expect((await client.projects.list().toArray()).map(({ id }) => id)).not.toContain(project_id);

    const reader = await client.apiKeys.create({ name: 'Reader', scopes: ['status_pages:read'] });
    expect((await server.client(reader.key).me()).scopes).toEqual(['status_pages:read']);
    expect((await client.apiKeys.list({ limit: 1 }).toArray()).map(({ id }) => id)).toEqual([
      reader.id,
      me.id,
    ]);
    await client.apiKeys.revoke(reader.id);
    expect((await client.apiKeys.get(reader.id)).revoked_at).not.toBeNull();
    await expectCode(server.client(reader.key).me(), 'invalid_api_key');

    const rotated = await client.apiKeys.rotate(me.id, { overlap_seconds: 60 });
    expect((await client.me()).id).toBe(me.id);
    const renewed = server.client(rotated.key);
    expect(await renewed.me()).toMatchObject({ id: rotated.id, name: me.name, scopes: me.scopes });
    await renewed.apiKeys.revoke(me.id);
    await expectCode(client.me(), 'invalid_api_key');
  });

  it('imports status pages from each format, also as a dry run', async () => {
    const { key, project_id } = await server.tenant();
    const client = server.client(key);
    const components = [{ id: 'a', name: 'API', position: 1, group: false, group_id: null }];
    const files = {
      statuspage: JSON.stringify({ page: { name: 'Imported' }, components }),
      upptime: 'sites: [{ name: API }]\nstatus-website: { name: Imported }\n',
      gatus: 'endpoints: [{ name: API }]\nui: { title: Imported }\n',
    } as const;
    for (const format of ['statuspage', 'upptime', 'gatus'] as const) {
      const foretold = await client.imports[format](files[format], { project_id, dry_run: true });
      const made = await client.imports[format](files[format], { project_id });
      expect(foretold).toEqual({ ...made, dry_run: true, status_page_id: null });
      expect((await client.statusPages.get(String(made.status_page_id))).slug).toBe(made.slug);
    }
  });
});
