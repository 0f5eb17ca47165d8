import { beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../clients/typescript/src/index.js';
import { CheckRunner } from '../../src/checks/check-runner.js';
import { type ListPage, useTenant, useTestServer } from '../support/server.js';
import { type Person, useConsole } from './use-console.js';
import { errorOf, leadsTo, save } from './use-pages.js';

const server = useTestServer();
const tenant = useTenant(server);
const { person } = useConsole(server);

let editor: Person;
beforeAll(async () => {
  editor = await person(tenant, 'editor');
});

const newMonitor = async () => (await server.monitors(tenant, 1))[0] ?? '';

const pathOf = (monitor: string) => `/manage/monitors/${monitor}/check`;

async function checkOf(monitor: string): Promise<Check | undefined> {
  const path = `/v1/checks?project_id=${tenant.project_id}&monitor_id=${monitor}`;
  return (await server.ask<ListPage<Check>>(path, { key: tenant.key })).body.data[0];
}

const WEB = {
  type: 'http',
  target: 'https://www.acme.example/',
  body_contains: '',
  expected_status: '200-399',
  interval_seconds: '300',
  failures: '3',
  status_on_failure: 'partial_outage',
  enabled: 'on',
};

/** A monitor whose check a member has created. */
async function watched(fields: Record<string, string> = {}): Promise<string> {
  const monitor = await newMonitor();
  await save(editor, `${pathOf(monitor)}?type=http`, { ...WEB, ...fields }, pathOf(monitor));
  return monitor;
}

describe('the check of a monitor', () => {
  it('gets a type, is created, and changes', async () => {
    const monitor = await newMonitor();
    const path = pathOf(monitor);
    expect((await editor.get(`/manage/monitors/${monitor}`)).text).toContain(`href="${path}"`);
    expect((await editor.get(path)).text).toContain(`href="${path}?type=dns"`);
    const created = await save(editor, `${path}?type=http`, WEB, path);
    expect(leadsTo(created)).toEqual([303, `${path}?done=saved`]);
    expect(await checkOf(monitor)).toMatchObject({
      type: 'http',
      target: WEB.target,
      body_contains: null,
      interval_seconds: 300,
      failures: 3,
      status_on_failure: 'partial_outage',
      enabled: true,
    });
    expect((await editor.get(path)).text).toContain('It has not run yet.');
    const { enabled: _on, ...off } = WEB;
    await save(editor, path, { ...off, body_contains: 'Sign in' });
    expect(await checkOf(monitor)).toMatchObject({ body_contains: 'Sign in', enabled: false });
    expect((await editor.get(path)).text).toContain('It is switched off.');
  });

  it.each([
    ['tcp', 'db.acme.example:5432', {}],
    ['dns', 'acme.example', { record_type: 'MX', expected: 'mail.acme.example' }],
    ['tls', 'www.acme.example:443', { days_before_expiry: '21' }],
  ])('shows the fields of its type: %s', async (type, target, fields) => {
    const monitor = await newMonitor();
    const path = pathOf(monitor);
    const form = (await editor.get(`${path}?type=${type}`)).text;
    for (const name of Object.keys(fields)) expect(form).toContain(`name="${name}"`);
    expect(form).not.toContain('name="body_contains"');
    const { interval_seconds, failures, status_on_failure } = WEB;
    const common = { type, target, interval_seconds, failures, status_on_failure, enabled: 'on' };
    expect((await save(editor, `${path}?type=${type}`, { ...common, ...fields }, path)).status).toBe(303);
    expect(await checkOf(monitor)).toMatchObject({ type, target });
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const monitor = await newMonitor();
    const path = pathOf(monitor);
    const wrong = await save(editor, path, {
      ...WEB,
      target: 'acme',
      failures: 'two',
      body_contains: 'kept',
    });
    expect([wrong.status, errorOf(wrong, 'failures')]).toEqual([
      400,
      expect.stringMatching(/^Failures in a row/),
    ]);
    expect(wrong.text).toContain('value="kept"');
    const target = await save(editor, path, { ...WEB, target: 'acme' });
    expect(errorOf(target, 'target')).toBe('Target must be an absolute URL with http or https.');
    expect(await checkOf(monitor)).toBeUndefined();
  });

  it('shows its last run, and the result of a run on request', async () => {
    const monitor = await watched({ target: 'http://localhost/' });
    const runner = server.app.get(CheckRunner, { strict: false });
    await runner.runDue();
    await runner.settle();
    expect((await editor.get(pathOf(monitor))).text).toMatch(
      /Last run [^:]+: +It fails: the address is not public\./,
    );
    const run = await save(editor, pathOf(monitor), {}, `${pathOf(monitor)}/run`);
    expect([run.status, run.text]).toEqual([
      200,
      expect.stringContaining('Just now: It fails: the address is not public.'),
    ]);
  });

  it('runs by a button between the last run and the form', async () => {
    const { text } = await editor.get(pathOf(await watched()));
    const places = ['It has not run yet.', '>Run now<', 'name="target"', '>Delete<'].map((part) =>
      text.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('disappears after a question, and the monitor stays', async () => {
    const monitor = await watched();
    const path = `${pathOf(monitor)}/delete`;
    expect((await save(editor, path, {})).text).toContain('Delete the check?');
    const deleted = await save(editor, path, { step: 'delete' });
    expect(leadsTo(deleted)).toEqual([303, `/manage/monitors/${monitor}`]);
    expect(await checkOf(monitor)).toBeUndefined();
    expect((await editor.get(path)).status).toBe(404);
  });

  it('shows viewers its state without forms', async () => {
    const monitor = await watched();
    const viewer = await person(tenant, 'viewer');
    const { text } = await viewer.get(pathOf(monitor));
    expect(text).toContain('It has not run yet.');
    expect(text).not.toContain('name="target"');
    expect(text).not.toContain('Run now');
  });
});
