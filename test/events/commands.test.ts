import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { hashesOf } from '../support/catalogue.js';
import { useCli } from '../cli/use-cli.js';

const { server } = useCli();

/** Commands that read, start no application, or write what belongs to no organization. */
const WITHOUT_EVENT = [
  'api-key list',
  'backup',
  'export',
  'log export',
  'member list',
  'migrate',
  'monitor list',
  'organization create',
  'organization list',
  'project list',
  'release-deliveries',
  'restore',
  'rotate-secret',
];

/** The tables that each periodic task writes besides the queues of the sending loops, and the type of the events that it records. */
const TASKS: Record<string, { tables: string[]; type?: string }> = {
  checks: { tables: ['check_states', 'monitor_states'] },
  'deferred status changes': {
    tables: ['deferred_status_changes', 'monitor_states'],
    type: 'monitor.status_changed',
  },
  domains: { tables: ['status_page_domains'] },
  'finished deliveries': { tables: [] },
  'old changes of domains': { tables: ['domain_changes'] },
  'old deliveries': { tables: [] },
  'old events': { tables: [] },
  'old links of members': { tables: ['member_links', 'member_link_requests'] },
  'old links to private pages': { tables: ['page_link_requests', 'page_links'] },
  'old sessions of members': { tables: ['member_sessions'] },
  'old subscriptions': { tables: ['subscribers'] },
  'old response times': { tables: [] },
  'response times': { tables: [] },
  'subscription requests': { tables: ['subscribers', 'subscription_requests'] },
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-cli-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

/** The names of all commands that run something. */
function namesOf(command: Command, words: string[] = []): string[] {
  const names = command.commands.flatMap((one) => namesOf(one, [...words, one.name()]));
  return names.length > 0 ? names : [words.join(' ')];
}

/** Runs `write`. Returns the events that it has recorded, as type and actor. */
async function eventsOf(write: () => Promise<unknown>): Promise<string[]> {
  const known = new Set((await server.sql<{ id: string }[]>('SELECT id FROM events')).map(({ id }) => id));
  await write();
  const events = await server.sql<{ id: string; entry: string }[]>(
    `SELECT id, concat_ws(' ', type, actor_type, actor_name) AS entry FROM events`,
  );
  return events.filter(({ id }) => !known.has(id)).map(({ entry }) => entry);
}

/** Tables that the server's sending loops also write. */
const OF_LOOPS = new Set(['confirmation_mails', 'deliveries', 'events']);

/** Runs `write`. Returns the tables whose rows it has changed, except for the tables of the loops. */
async function tablesOf(write: () => Promise<unknown>): Promise<string[]> {
  const before = await hashesOf(server);
  await write();
  const after = await hashesOf(server);
  const isChanged = (table: string) => after[table] !== before[table];
  return Object.keys(after).filter((table) => !OF_LOOPS.has(table) && isChanged(table));
}

/** Arguments of the commands that write for an organization, and the event that each must record. */
async function commandsThatWrite(): Promise<Record<string, { type: string; parameters: string[] }>> {
  const tenant = await server.tenant();
  const { organization_id, project_id, key_id } = tenant;
  const { id: page } = await server.page(tenant);
  const components = [{ id: 'c1', name: 'API', position: 1, group: false, group_id: null }];
  const statuspage = await file('a.json', JSON.stringify({ page: { name: 'Statuspage' }, components }));
  const gatus = await file('a.yaml', 'endpoints: [{ name: API, url: "https://api.example.com" }]');
  const upptime = await file(
    'b.yml',
    'owner: acme\nrepo: status\nsites: [{ name: API, url: "https://api.example.com" }]',
  );
  const csv = await file('a.csv', 'email\nnew@example.com');
  const project = ['--project', project_id];
  const organization = ['--organization', organization_id];
  const email = 'member@example.com';
  return {
    'api-key create': {
      type: 'api_key.created',
      parameters: ['--name', 'Key', '--all-scopes', ...organization],
    },
    'api-key revoke': { type: 'api_key.revoked', parameters: [key_id] },
    demo: { type: 'status_page.created', parameters: ['--pages', '1'] },
    'import gatus': { type: 'import.completed', parameters: [gatus, ...project] },
    'import statuspage': { type: 'import.completed', parameters: [statuspage, ...project] },
    'import subscribers': {
      type: 'subscriber.created',
      parameters: [csv, '--status-page', page, '--confirmed'],
    },
    'import upptime': { type: 'import.completed', parameters: [upptime, ...project] },
    'member create': {
      type: 'member.created',
      parameters: ['--email', email, '--name', 'Ada', '--role', 'admin', ...organization],
    },
    'member link': { type: 'member.link_created', parameters: [email, ...organization] },
    'monitor create': { type: 'monitor.created', parameters: ['--name', 'API', ...project] },
    'project create': { type: 'project.created', parameters: ['--name', 'Project', ...organization] },
  };
}

/** Rows for the tasks: a deferred status change, a form of a visitor, and what has ended. */
async function createWork(): Promise<void> {
  const tenant = await server.tenant();
  const { organization_id } = tenant;
  const [monitor = ''] = await server.monitors(tenant, 1);
  const { id: page } = await server.page(tenant);
  const { stderr } = await server.cli(
    'member',
    'create',
    '--email',
    'old@example.com',
    '--name',
    'Old',
    '--role',
    'viewer',
    '--organization',
    organization_id,
  );
  expect(stderr).not.toContain('error');
  await server.sql(
    `INSERT INTO deferred_status_changes (organization_id, monitor_id, due_at) VALUES ($1, $2, now())`,
    [organization_id, monitor],
  );
  await server.sql(
    `INSERT INTO subscription_requests (id, organization_id, project_id, status_page_id, email, detail, maintenances)
     SELECT gen_random_uuid(), organization_id, project_id, id, 'form@example.com', 'all', true
       FROM status_pages WHERE id = $1`,
    [page],
  );
  await server.sql(
    `UPDATE member_links SET created_at = now() - interval '1 day', expires_at = now() - interval '1 day'`,
  );
}

describe('the log of periodic tasks', () => {
  it('contains the status changes that a task records; the others change no resource but subscribers', async () => {
    await createWork();
    const { all: tasks } = server.app.get(PeriodicTasks, { strict: false });
    expect(tasks.map(({ name }) => name).toSorted()).toEqual(Object.keys(TASKS).toSorted());
    const written: string[] = [];
    for (const { name, run } of tasks) {
      const { tables: allowed = [], type } = TASKS[name] ?? {};
      let tables: string[] = [];
      const events = await eventsOf(async () => {
        tables = await tablesOf(run);
      });
      written.push(...tables);
      expect
        .soft({ name, tables: tables.filter((table) => !allowed.includes(table)) })
        .toEqual({ name, tables: [] });
      expect.soft({ name, events }).toEqual({ name, events: type ? [`${type} system ${name}`] : [] });
    }
    expect(written).toEqual(
      expect.arrayContaining(['deferred_status_changes', 'member_links', 'subscribers']),
    );
  });
});

describe('the log of commands', () => {
  it('contains an event of each command that writes for an organization, with its name', async () => {
    const commands = await commandsThatWrite();
    const nothing = () => Promise.resolve();
    const program = createProgram(nothing, nothing, { stdout: process.stdout, stderr: process.stderr });
    expect(namesOf(program).toSorted()).toEqual([...WITHOUT_EVENT, ...Object.keys(commands)].toSorted());
    for (const [name, { type, parameters }] of Object.entries(commands)) {
      let stderr = '';
      const events = await eventsOf(async () => {
        ({ stderr } = await server.cli(...name.split(' '), ...parameters));
      });
      expect.soft({ name, stderr, events }).toMatchObject({
        events: expect.arrayContaining([`${type} command_line cli ${name}`]),
      });
    }
  });
});
