import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSubscribersCsv } from '../../src/subscribers/subscribers-csv.js';
import { useCli } from './use-cli.js';

const { call, expectFault } = useCli();
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

describe('a CSV file of subscribers', () => {
  const read = (text: string) => readSubscribersCsv(Buffer.from(text));

  it('can have quotes, a byte order mark, and columns in any order', () => {
    const { subscribers, faults } = read('\uFEFFName,"Email Address"\r\n"Lovelace, Ada",ada@example.com\r\n');
    expect(faults).toEqual([]);
    expect(subscribers).toEqual([{ email: 'ada@example.com', components: [], line: 2 }]);
  });

  it('needs a header with addresses, UTF-8 and closed quotes', () => {
    expect(read('name\nada').faults).toMatchObject([{ line: 1 }]);
    expect(read('email\n"ada').faults).toHaveLength(1);
    expect(readSubscribersCsv(Buffer.from([0x65, 0xff])).faults).toMatchObject([{ detail: 'is not UTF-8' }]);
  });
});
