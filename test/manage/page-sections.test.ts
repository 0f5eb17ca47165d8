import { beforeAll, describe, expect, it } from 'vitest';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save, summaryOf } from './use-pages.js';

const MAX_BYTES = 30_000;
const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
let monitors: string[];
beforeAll(async () => {
  editor = await person(tenant, 'editor');
  monitors = await server.monitors(tenant, 3);
});

const read = async (id: string) =>
  (await server.ask<{ data: StatusPageDto }>(`/v1/status-pages/${id}`, { key: tenant.key })).body.data;

const titlesOf = async (id: string) => (await read(id)).sections.map(({ title }) => title);

/** Creates a page with the sections “One”, “Two” and “Three”. The first has all monitors. */
const withSections = async () =>
  server.page(tenant, {
    sections: ['One', 'Two', 'Three'].map((title) => ({
      id: title.toLowerCase(),
      title,
      monitor_ids: title === 'One' ? monitors : [],
    })),
  });

describe('the sections of a page', () => {
  it('move by buttons, also at the ends of the list', async () => {
    const { id } = await withSections();
    const [path, order] = [`/manage/pages/${id}/sections`, `/manage/pages/${id}/section-order`];
    const press = (fields: Fields) => save(editor, path, fields, order);
    expect(leadsTo(await press({ up: 'two' }))).toEqual([303, `${path}?page=0#s-two`]);
    expect(await titlesOf(id)).toEqual(['Two', 'One', 'Three']);
    await press({ down: 'one' });
    expect(await titlesOf(id)).toEqual(['Two', 'Three', 'One']);
    const ignored: Fields[] = [{ up: 'two' }, { down: 'one' }, { up: 'unknown' }];
    for (const fields of ignored) expect((await press(fields)).status).toBe(303);
    expect(await titlesOf(id)).toEqual(['Two', 'Three', 'One']);
    await press({ up: 'one', by: '2' });
    expect(await titlesOf(id)).toEqual(['One', 'Two', 'Three']);
    await press({ down: 'one', by: '99' });
    for (const by of ['0', 'x', '-1']) await press({ up: 'three', by });
    expect(await titlesOf(id)).toEqual(['Three', 'Two', 'One']);
  });

  it('lead to the part of a long list into which they have moved', async () => {
    const long = Array.from({ length: 60 }, (_, index) => ({
      id: `s${index}`,
      title: `${index}`,
      monitor_ids: [],
    }));
    const { id } = await server.page(tenant, { sections: long });
    const [path, order] = [`/manage/pages/${id}/sections`, `/manage/pages/${id}/section-order`];
    const press = async (fields: Fields) => leadsTo(await save(editor, path, fields, order))[1];
    expect(await press({ page: '0', down: 's24' })).toBe(`${path}?page=1#s-s24`);
    expect(await press({ page: '2', up: 's59', by: '59' })).toBe(`${path}?page=0#s-s59`);
    expect(await press({ page: '1', up: 'unknown' })).toBe(`${path}?page=1#s-`);
  });

  it('adds and renames sections, and removes them after a question', async () => {
    const { id } = await withSections();
    const path = `/manage/pages/${id}/sections`;
    const [status, added] = leadsTo(await save(editor, path, { title: 'Four <b>' }));
    expect([status, await titlesOf(id)]).toEqual([303, ['One', 'Two', 'Three', 'Four <b>']]);
    expect((await editor.get(String(added))).text).toContain('Four &lt;b>');
    await save(editor, `${path}/two`, { title: 'Second' });
    expect(await titlesOf(id)).toEqual(['One', 'Second', 'Three', 'Four <b>']);
    const question = await editor.get(`${path}/one/remove`);
    expect(question.text).toContain('Remove One?');
    const again = await editor.post(`${path}/one/remove`, hiddenIn(question));
    expect([again.status, (await titlesOf(id)).length]).toEqual([200, 4]);
    await save(editor, `${path}/one/remove`, { step: 'remove' });
    expect(await titlesOf(id)).toEqual(['Second', 'Three', 'Four <b>']);
  });

  it('get, order and lose monitors', async () => {
    const { id } = await withSections();
    const path = `/manage/pages/${id}/sections`;
    const [first = '', second = '', third = ''] = monitors;
    const change = (name: string, fields: Fields) =>
      save(editor, `${path}/${name}`, fields, `${path}/${name}/monitors`);
    await change('two', { step: 'add', monitor_ids: [first, second] });
    await change('one', { up: third });
    await change('one', { remove: first });
    expect((await read(id)).sections).toMatchObject([
      { monitor_ids: [third, second] },
      { monitor_ids: [first, second] },
      { monitor_ids: [] },
    ]);
  });

  it('show their errors at the fields', async () => {
    const { id } = await withSections();
    const path = `/manage/pages/${id}/sections`;
    for (const to of [path, `${path}/two`]) {
      const empty = await save(editor, to, { title: ' ' });
      expect([empty.status, errorOf(empty, 'title')]).toEqual([400, 'Title is missing.']);
      const long = await save(editor, to, { title: 'x'.repeat(201) });
      expect([long.status, errorOf(long, 'title')]).toEqual([400, expect.stringContaining('200')]);
      expect(long.text).toContain('x'.repeat(201));
    }
    const add = `${path}/two/monitors`;
    const none = await save(editor, `${path}/two`, { step: 'add' }, add);
    expect([none.status, errorOf(none, 'monitor_ids')]).toEqual([400, 'Choose at least one monitor.']);
    const [foreign = ''] = await server.monitors(await server.tenant(), 1);
    const unknown = await save(editor, `${path}/two`, { step: 'add', monitor_ids: foreign }, add);
    expect([unknown.status, errorOf(unknown, 'monitor_ids')]).toEqual([
      400,
      expect.stringContaining('belongs to another project'),
    ]);
  });

  it("show another member's change, and overwrite nothing", async () => {
    const { id } = await withSections();
    const path = `/manage/pages/${id}/sections`;
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    await save(await person(tenant, 'editor'), `${path}/two`, { title: 'By Sam' });
    const renamed = await save(editor, `${path}/two`, { updated_at, title: 'By Pat' });
    expect([renamed.status, summaryOf(renamed)]).toEqual([409, expect.stringContaining('has changed this')]);
    for (const title of ['By Sam', 'By Pat']) expect(renamed.text).toContain(title);
    const stale = { updated_at, up: 'two', title: 'New', step: 'remove', remove: monitors[0] ?? '' };
    for (const to of [
      path,
      `/manage/pages/${id}/section-order`,
      `${path}/one/monitors`,
      `${path}/one/remove`,
    ])
      expect([to, (await save(editor, path, stale, to)).status]).toEqual([to, 409]);
    expect(await titlesOf(id)).toEqual(['One', 'By Sam', 'Three']);
  });

  it('stay below 30 kB with a thousand monitors and two hundred sections', async () => {
    const large = await server.tenant();
    const ids = await server.monitors(large, 1_000);
    const sections = Array.from({ length: 200 }, (_, index) => ({
      id: `s${index}`,
      title: `Section ${index}`,
      monitor_ids: index < 2 ? ids.slice(index * 500, (index + 1) * 500) : [],
    }));
    const { id } = await server.page(large, { sections });
    const { get } = await person(large, 'editor');
    const path = `/manage/pages/${id}/sections`;
    for (const one of [path, `${path}?page=7`, `${path}/s0`, `${path}/s0?page=24`, `${path}/s5?find=99`]) {
      const { status, text } = await get(one);
      expect([one, status, Buffer.byteLength(text) <= MAX_BYTES]).toEqual([one, 200, true]);
    }
    expect((await get(`${path}?page=7`)).text).toContain('Section 199');
    expect((await get(`${path}/s0?page=24`)).text).toContain('Monitor 500<');
    expect((await get(`${path}/s5?find=999`)).text).toContain('Monitor 999<');
  });

  it('shows no form to members who may not change the sections', async () => {
    const { id } = await withSections();
    const { get } = await person(tenant, 'viewer');
    for (const path of [`/manage/pages/${id}/sections`, `/manage/pages/${id}/sections/one`]) {
      const { status, text } = await get(path);
      expect([status, text.includes('name="updated_at"'), text.includes('One')]).toEqual([200, false, true]);
    }
  });
});
