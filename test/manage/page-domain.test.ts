import { beforeAll, describe, expect, it } from 'vitest';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

/** A page with a domain whose checks fail without DNS, and the path of its screen. */
async function pageWithDomain() {
  const { id } = await server.page(tenant);
  const path = `/manage/pages/${id}/domain`;
  const custom_domain = `page-${id}.localhost`;
  expect(leadsTo(await save(editor, path, { custom_domain }))).toEqual([303, `${path}?done=saved`]);
  return { id, path, custom_domain };
}

const domainOf = async (id: string) =>
  (await server.ask(`/v1/status-pages/${id}`, { key: tenant.key })).body.data.custom_domain;

describe('the domain of a page', () => {
  it('shows the DNS record that proves it, and checks it on request', async () => {
    const { id, path, custom_domain } = await pageWithDomain();
    expect(await domainOf(id)).toBe(custom_domain);
    const shown = await editor.get(path);
    expect(shown.text).toContain('Not proved yet');
    expect(shown.text).toContain(`_status-pages.${custom_domain}`);
    expect(shown.text).toContain('status-pages-verification=');
    expect(shown.text).toContain('Not checked yet.');
    expect(leadsTo(await editor.post(`${path}/check`))).toEqual([303, path]);
    expect((await editor.get(path)).text).toContain('Last check');
  });

  it('confirms what is true: visitors see a domain only after it is proved', async () => {
    const { id, path } = await pageWithDomain();
    const confirmed = async () =>
      /role="status">([^<]*)</.exec((await editor.get(`${path}?done=saved`)).text)?.[1];
    expect(await confirmed()).toBe('Saved. Visitors do not see it yet: set the DNS record below first.');
    await server.sql("UPDATE status_page_domains SET status = 'verified' WHERE status_page_id = $1", [id]);
    expect(await confirmed()).toBe('Saved. Visitors see it within seconds.');
    await save(editor, path, { custom_domain: '' });
    expect(await confirmed()).toBe('Saved. The page has no domain of its own any more.');
  });

  it('counts checks like the API, and gives the limit in words', async () => {
    const { path } = await pageWithDomain();
    for (let count = 0; count < 10; count++) expect((await editor.post(`${path}/check`)).status).toBe(303);
    const shown = await editor.post(`${path}/check`);
    expect([shown.status, summaryOf(shown)]).toEqual([
      400,
      expect.stringContaining('At most ten checks an hour'),
    ]);
  });

  it('ends if the field is empty', async () => {
    const { id, path } = await pageWithDomain();
    await save(editor, path, { custom_domain: '' });
    expect(await domainOf(id)).toBeNull();
    expect((await editor.get(path)).text).not.toContain('_status-pages.');
  });

  it('shows its errors at the field', async () => {
    const { id, path, custom_domain } = await pageWithDomain();
    const wrong = await save(editor, path, { custom_domain: 'https://acme.example/' });
    expect([wrong.status, errorOf(wrong, 'custom_domain')]).toEqual([
      400,
      expect.stringContaining('host name'),
    ]);
    expect(wrong.text).toContain('value="https://acme.example/"');
    expect(await domainOf(id)).toBe(custom_domain);
  });

  it("shows another member's change, and overwrites nothing", async () => {
    const { id, path, custom_domain } = await pageWithDomain();
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    await save(await person(tenant, 'editor'), path, { custom_domain: `other-${custom_domain}` });
    const stale = await save(editor, path, { updated_at, custom_domain: `own-${custom_domain}` });
    expect(stale.status).toBe(409);
    expect(stale.text).toContain(`>other-${custom_domain}</blockquote>`);
    expect(await domainOf(id)).toBe(`other-${custom_domain}`);
  });

  it('shows its state, but no form, to members who may not change pages', async () => {
    const { path, custom_domain } = await pageWithDomain();
    const viewer = await person(tenant, 'viewer');
    const { status, text } = await viewer.get(path);
    expect([status, text.includes(`_status-pages.${custom_domain}`)]).toEqual([200, true]);
    expect(text).not.toContain('Check now');
    expect(text).not.toContain('name="custom_domain"');
    expect((await viewer.post(`${path}/check`)).status).toBe(403);
  });
});
