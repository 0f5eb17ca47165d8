import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Incident, Monitor } from '../../clients/typescript/src/index.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useCommand } from './use-command.js';

const server = useTestServer();
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

const directory = mkdtempSync(join(tmpdir(), 'command-incidents-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('status-pages incident open --template', () => {
  it('opens an incident from a template, by name or ID, and options take precedence', async () => {
    const { incidentTemplates } = server.client(tenant.key);
    const { project_id } = tenant;
    const template = { project_id, name: 'Outage', title: 'The API is down', body: 'We look at it.' };
    const { id } = await incidentTemplates.create(template);
    const opened = await json<Incident>('incident', 'open', '--template', 'Outage');
    expect(opened).toMatchObject({ title: 'The API is down', status: 'investigating' });
    expect(
      await json('incident', 'open', 'Own title', '--template', id, '--status', 'identified'),
    ).toMatchObject({ title: 'Own title', status: 'identified' });
    expect(await fails(1, {}, 'incident', 'open', '--template', 'Outrage')).toBe(
      `error: Incident template "Outrage" not found. The project's templates are:\n  ${id}  Outage\n`,
    );
    expect(await fails(2, {}, 'incident', 'open')).toContain('Pass a title or --template');
    await incidentTemplates.create(template);
    expect(await fails(2, {}, 'incident', 'open', '--template', 'Outage')).toContain('Several templates');
  });
});

describe('status-pages incident postmortem', () => {
  it('publishes a file, replaces it with a text, and removes it', async () => {
    const { id } = await json<Incident>('incident', 'open', 'Disk full', '--status', 'resolved');
    const file = join(directory, 'postmortem.md');
    writeFileSync(file, '# Cause\n\nA disk was full.\n');
    expect(await prints('incident', 'postmortem', id, '--file', file)).toMatch(
      /^postmortem +26 characters$/m,
    );
    const postmortem = async () => (await server.client(tenant.key).incidents.get(id)).postmortem;
    expect(await postmortem()).toBe('# Cause\n\nA disk was full.\n');
    await prints('incident', 'postmortem', id, '--body', 'Replaced.');
    expect(await postmortem()).toBe('Replaced.');
    await prints('incident', 'postmortem', id, '--body', 'none');
    expect(await postmortem()).toBeNull();
    expect(await fails(2, {}, 'incident', 'postmortem', id)).toContain('Pass --file or --body');
    expect(await fails(2, {}, 'incident', 'postmortem', 'x', '--body', 'y')).toContain('is not the ID');
  });
});

describe('status-pages monitor add --since', () => {
  const DAY = 86_400_000;
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

  it('makes the monitor operational since a day, with one idempotency key for both requests', async () => {
    const add = ['monitor', 'add', 'Old', '--key', 'old', '--since', daysAgo(60)];
    const { id } = await json<Monitor>(...add, '--idempotency-key', 'add-old');
    expect(await json<Monitor>(...add, '--idempotency-key', 'add-old')).toMatchObject({ id });
    const range = { from: daysAgo(61), to: daysAgo(1) };
    const { days, uptime } = await server.client(tenant.key).monitors.days(id, range);
    expect(days.map(({ operational }) => operational)).toEqual([
      0,
      ...Array.from({ length: 60 }, () => 86_400),
    ]);
    expect(uptime).toBe(100);
  });

  it('rejects a time that is not in the last 400 days, and --stale-after beside it', async () => {
    for (const since of [daysAgo(402), daysAgo(-2), '2026-02-31T', 'x'])
      expect(await fails(2, {}, 'monitor', 'add', 'x', '--since', since)).toMatch(/It must be/);
    const both = ['--since', daysAgo(3), '--stale-after', '5m'];
    expect(await fails(2, {}, 'monitor', 'add', 'x', ...both)).toContain('cannot be used');
  });
});
