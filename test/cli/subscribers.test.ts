import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useCli } from './use-cli.js';

const { server, call, expectFault } = useCli();
let directory: string;
/** Status page of a demo. */
let page: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-cli-'));
  page = String((await call('demo', '--pages', '1')).status_page_ids[0]);
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function file(...lines: string[]): Promise<string> {
  const path = join(directory, `${crypto.randomUUID()}.csv`);
  await writeFile(path, lines.join('\n'));
  return path;
}

describe('cli import subscribers', () => {
  it('adds the addresses of a page, and adds none of them twice', async () => {
    const path = await file(
      'type,email,components,quarantined_at',
      'email,new@example.com,,',
      'email,NEW@example.com,,',
      'email,api@example.com,"API",',
      'sms,5551234,,',
      'email,bounced@example.com,,2026-01-01',
    );
    const into = ['--status-page', page, '--confirmed'];
    const wanted = { created: 2, existing: 0, erased: 0, other_types: 1, quarantined: 1, repeated: 1 };
    expect(await call('import', 'subscribers', path, ...into, '--dry-run')).toMatchObject({
      ...wanted,
      dry_run: true,
    });
    expect(await call('import', 'subscribers', path, ...into)).toMatchObject({ ...wanted, dry_run: false });
    expect(await call('import', 'subscribers', path, ...into)).toMatchObject({ created: 0, existing: 2 });
  });

  it('leaves out rows that are not active, and names the columns that it does not read', async () => {
    const path = await file(
      'email,name,status',
      'enabled@example.com,Ann,enabled',
      'blocklisted@example.com,Bob,blocklisted',
      'disabled@example.com,Cat,disabled',
    );
    const into = ['--status-page', page, '--confirmed'];
    expect(await call('import', 'subscribers', path, ...into)).toMatchObject({
      created: 1,
      not_active: 2,
      ignored_columns: ['name'],
    });
    expect(
      await server.sql("SELECT email, status FROM subscribers WHERE email LIKE '%abled@example.com'"),
    ).toEqual([{ email: 'enabled@example.com', status: 'active' }]);
  });

  it('recognizes components whose names contain commas', async () => {
    const rename = async (from: string, to: string) => {
      await server.sql('UPDATE monitors SET name = $2 WHERE name = $1', [from, to]);
      const [row] = await server.sql<{ id: string }[]>('SELECT id FROM monitors WHERE name = $1', [to]);
      return row?.id;
    };
    const long = await rename('API', 'Issues, PRs, Projects');
    const short = await rename('Webhooks', 'Issues');
    const path = await file(
      'email,components',
      'long@example.com,"Issues, PRs, Projects"',
      'both@example.com,"Issues, Issues, PRs, Projects"',
    );
    expect(await call('import', 'subscribers', path, '--status-page', page)).toMatchObject({ created: 2 });
    const select = 'SELECT monitor_ids FROM subscribers WHERE email = $1';
    expect(await server.sql(select, ['long@example.com'])).toEqual([{ monitor_ids: [long] }]);
    expect(await server.sql(select, ['both@example.com'])).toEqual([{ monitor_ids: [short, long] }]);
  });

  it('names invalid lines without addresses, and adds nothing', async () => {
    const into = ['--status-page', page];
    const bad = await file('email,components', 'good@example.com,', 'bad,', 'other@example.com,');
    await expectFault(/: line 3 is not an email address\n$/, 'import', 'subscribers', bad, ...into);
    const unknown = await file('email,components', 'good@example.com,Nowhere');
    await expectFault(/line 2 names a component/, 'import', 'subscribers', unknown, ...into);
    const good = await file('email', 'good@example.com');
    expect(await call('import', 'subscribers', good, ...into, '--dry-run')).toMatchObject({ created: 1 });
  });
});
