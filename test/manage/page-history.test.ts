import { beforeAll, describe, expect, it } from 'vitest';
import type { StatusPageDto } from '../../src/status-pages/dto/status-page.dto.js';
import { useTenant, useTestServer } from '../support/server.js';
import { hiddenIn, type Person, useConsole } from './use-console.js';
import { leadsTo, save, summaryOf } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
let monitors: string[];
beforeAll(async () => {
  editor = await person(tenant, 'editor');
  monitors = await server.monitors(tenant, 3);
});

const ask = async (id: string, method: string, json: object = {}) =>
  (await server.ask<{ data: StatusPageDto }>(`/v1/status-pages/${id}`, { method, key: tenant.key, json }))
    .body.data;
const read = async (id: string) =>
  (await server.ask<{ data: StatusPageDto }>(`/v1/status-pages/${id}`, { key: tenant.key })).body.data;

/** Creates a page with three changes after its creation. */
async function changedPage() {
  const core = { id: 'core', title: 'Core', monitor_ids: monitors.slice(0, 2) };
  const { id } = await server.page(tenant, { name: 'First', sections: [core] });
  await ask(id, 'PATCH', { name: 'Second' });
  await ask(id, 'PATCH', { sections: [{ ...core, title: 'Base', monitor_ids: monitors.slice(1) }] });
  await ask(id, 'PATCH', { name: 'Third', accent_color: '#123456' });
  return id;
}

const cells = ({ text }: { text: string }) =>
  [
    ...text.matchAll(
      /<tr><th scope="row" dir="auto">(.*?)<\/th><td dir="auto">(.*?)<\/td><td dir="auto">(.*?)<\/td>/g,
    ),
  ].map(([, ...values]) => values);

describe('the history of a page', () => {
  it('lists who has changed what, and shows each change', async () => {
    const id = await changedPage();
    const path = `/manage/pages/${id}/history`;
    const { status, text } = await editor.get(path);
    expect(status).toBe(200);
    for (const part of ['Name, Accent color', '>Sections<', '>Created<', '4 · '])
      expect(text).toContain(part);
    expect(cells(await editor.get(`${path}/2`))).toEqual([['Name', 'First', 'Second']]);
    expect(cells(await editor.get(`${path}/3`))).toEqual([
      ['Section Core', 'Core', 'Base'],
      ['Monitors in Base', 'Monitor 1', 'Monitor 3'],
    ]);
    for (const unknown of ['0', '9', 'x', '99999999999'])
      expect((await editor.get(`${path}/${unknown}`)).status).toBe(404);
  });

  it('compares two states, in both directions', async () => {
    const id = await changedPage();
    const path = `/manage/pages/${id}/comparison`;
    expect(cells(await editor.get(`${path}?from=2&to=4`))).toContainEqual(['Name', 'Second', 'Third']);
    expect(cells(await editor.get(`${path}?from=4&to=2`))).toContainEqual(['Name', 'Third', 'Second']);
    expect((await editor.get(`${path}?from=2&to=2`)).text).toContain('There is no difference.');
    expect((await editor.get(`${path}?from=2`)).status).toBe(404);
  });

  it('restores a state after a review, without deleted monitors', async () => {
    const id = await changedPage();
    const [gone = ''] = await server.monitors(tenant, 1);
    const core = { id: 'core', title: 'Core', monitor_ids: [gone, monitors[0]] };
    await ask(id, 'PATCH', { name: 'Fifth', sections: [core] });
    await server.ask(`/v1/monitors/${gone}`, { method: 'DELETE', key: tenant.key });
    await ask(id, 'PATCH', { name: 'Last' });
    const path = `/manage/pages/${id}/history/5/restore`;
    const review = await editor.get(path);
    expect([review.status, cells(review)]).toEqual([200, [['Name', 'Last', 'Fifth']]]);
    expect(review.text).toContain('1 monitor has been deleted since');
    const again = await editor.post(path, hiddenIn(review));
    expect([again.status, (await read(id)).name]).toEqual([200, 'Last']);
    const fields = { ...hiddenIn(review), step: 'restore' };
    for (const _ of [1, 2])
      expect(leadsTo(await editor.post(path, fields))).toEqual([
        303,
        `/manage/pages/${id}/history?done=saved`,
      ]);
    expect(await read(id)).toMatchObject({ name: 'Fifth', sections: [{ monitor_ids: [monitors[0]] }] });
    expect((await editor.get(`/manage/pages/${id}/history`)).text).toContain('An earlier state restored');
  });

  it("shows another member's change instead of restoring over it", async () => {
    const id = await changedPage();
    const path = `/manage/pages/${id}/history/1/restore`;
    const { updated_at = '' } = hiddenIn(await editor.get(path));
    await ask(id, 'PATCH', { name: 'By Sam' });
    const stale = await save(editor, path, { updated_at, step: 'restore' });
    expect([stale.status, summaryOf(stale)]).toEqual([409, expect.stringContaining('has changed this')]);
    expect((await read(id)).name).toBe('By Sam');
  });

  it('shows the history to members who may not change the page, without a way to restore', async () => {
    const id = await changedPage();
    const viewer = await person(tenant, 'viewer');
    const { status, text } = await viewer.get(`/manage/pages/${id}/history/2`);
    expect([status, text.includes('/restore')]).toEqual([200, false]);
    expect((await viewer.get(`/manage/pages/${id}/history/2/restore`)).status).toBe(403);
  });
});
