import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { expect, it } from 'vitest';
import { startSink } from '../mail/sink.js';
import { adminUrlOf } from '../support/metrics.js';
import { Program, stop, useDirectory } from '../support/process.js';
import { until, useTenant, useTestServer } from '../support/server.js';

const directory = useDirectory();
const server = useTestServer(); // delivers nothing itself
const tenant = useTenant(server);

/** Plans a maintenance window, about which the active subscribers get mail. Returns the title. */
async function announce(subscribers: number): Promise<string> {
  const page = await server.page(tenant);
  const { organization_id, project_id, key } = tenant;
  await server.sql(
    `INSERT INTO subscribers (id, organization_id, project_id, status_page_id, email, email_key, status, source)
     SELECT gen_random_uuid(), $1, $2, $3, n || $4, n || $4, 'active', 'api' FROM generate_series(1, $5::integer) AS n`,
    [organization_id, project_id, page.id, `@${page.id}.example`, subscribers],
  );
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const title = `Upgrade ${page.slug}`;
  const json = { project_id, title, starts_at: at(2), ends_at: at(3), status_page_ids: [page.id] };
  expect((await server.ask('/v1/maintenances', { method: 'POST', key, json })).status).toBe(201);
  return title;
}

it('npm run start:worker delivers events, serves metrics, and stops after SIGTERM', async () => {
  const title = await announce(1);
  const MAIL_DIR = join(directory.path, 'mail');
  const worker = Program.run('main.js', ['--worker'], {
    ...server.databaseEnv,
    MAIL_DIR,
    ADMIN_PORT: '0',
    DELIVERY: 'off', // has no effect
    WEB_CONCURRENCY: '2', // has no effect
  });
  await worker.prints(/"msg":"Status Pages delivers events"/);
  const [name = ''] = await until(async () => {
    const files = (await readdir(MAIL_DIR).catch(() => [])).filter((file) => file.endsWith('.eml'));
    return files.length > 0 && files;
  });
  const { subject } = await simpleParser(await readFile(join(MAIL_DIR, name)));
  expect(subject).toContain(title);
  const admin = await adminUrlOf(worker);
  expect((await fetch(`${admin}/health/ready`)).status).toBe(200);
  await until(async () => {
    const text = await (await fetch(`${admin}/metrics`)).text();
    return text.includes('status_pages_deliveries_total{channel="email",result="delivered"} 1');
  });
  await stop(worker);
  expect(worker.stdout).not.toContain('listens on');
});

it('npm run start:worker requires DATABASE_URL', async () => {
  for (const env of [{ EMBEDDED: 'true' }, { EMBEDDED: '' }]) {
    const worker = Program.run('main.js', ['--worker'], { ...env, DATA_DIR: directory.path });
    expect(await worker.exit()).toBe(1);
    expect(worker.stderr).toMatch(
      /^Status Pages could not start: npm run start:worker requires DATABASE_URL/,
    );
  }
});

it('npm run start:worker continues after a killed process, which repeats only the messages in flight', async () => {
  const sink = await startSink();
  const env = { ...server.databaseEnv, SMTP_URL: sink.url, MAIL_FROM: 'status@example.com' };
  const addresses = () => new Set(sink.received.map(({ to }) => to[0]));
  await announce(600);
  const killed = Program.run('main.js', ['--worker'], env);
  await until(async () => addresses().size > 100);
  killed.kill('SIGKILL');
  await killed.exit();
  expect(addresses().size).toBeLessThan(600);

  await server.sql(
    `UPDATE deliveries SET due_at = now() - make_interval(secs => 0.001) WHERE status = 'pending'`,
  ); // as after a minute
  const next = Program.run('main.js', ['--worker'], env);
  await until(async () => addresses().size === 600);
  await until(async () => {
    const [row] = await server.sql<{ count: number }[]>(
      `SELECT count(*)::integer FROM deliveries WHERE status = 'pending'`,
    );
    return row?.count === 0;
  });
  await stop(next);
  expect(sink.received.length - 600).toBeLessThanOrEqual(40);
  const ids = await Promise.all(
    sink.received.map(async ({ message }) => (await simpleParser(message)).messageId),
  );
  expect(new Set(ids).size).toBe(600);
  await sink.close();
});
