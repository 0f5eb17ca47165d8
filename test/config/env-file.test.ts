import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEnvFile } from '../../src/platform/config/env-file.js';
import { EnvError, findMisspelledNames } from '../../src/platform/config/env.js';
import { useDirectory } from '../support/process.js';

const directory = useDirectory();

describe('.env file', () => {
  it('yields to environment variables and their choice of a database', async () => {
    const before = { ...process.env };
    await writeFile(
      join(directory.path, '.env'),
      `# comment\nexport DATABASE_URL=postgres://localhost/x\nPORT=1\n\nRATE_LIMIT='5' # five\n`,
    );
    Object.assign(process.env, { EMBEDDED: 'true', PORT: '2' });
    delete process.env['DATABASE_URL'];
    delete process.env['RATE_LIMIT'];
    loadEnvFile(directory.path);
    const { DATABASE_URL, PORT, RATE_LIMIT } = process.env;
    process.env = before;
    expect([DATABASE_URL, PORT, RATE_LIMIT]).toEqual([undefined, '2', '5']);
  });

  it.each(['RATE_LIMIT 5', 'RATE_LIMIT: 5', '=5', '5=5', 'RATE_LIMIT="5', "RATE_LIMIT='5' 6"])(
    'with an invalid line causes an error with the line number: %s',
    async (line) => {
      await writeFile(join(directory.path, '.env'), `A=1\n# comment\nB="2\n2"\n${line}\nC=3\n`);
      const before = { ...process.env };
      expect(() => loadEnvFile(directory.path)).toThrow(
        new EnvError(`${directory.path}/.env, line 5: must be NAME=value or a comment`),
      );
      expect(process.env).toEqual(before);
    },
  );
});

describe('configuration', () => {
  it('warns about misspelled variables only', () => {
    const names = {
      RATE_LIMT: '5',
      DATABSE_URL: 'x',
      LOGLEVEL: 'x',
      HOSTS: '',
      HOME: '',
      DATABASES: '',
      PATH: '',
    };
    expect(findMisspelledNames({ ...names, PORT: '1' })).toEqual([
      'The variable RATE_LIMT is unknown and ignored. Did you mean RATE_LIMIT?',
      'The variable DATABSE_URL is unknown and ignored. Did you mean DATABASE_URL?',
      'The variable LOGLEVEL is unknown and ignored. Did you mean LOG_LEVEL?',
    ]);
  });

  it('appears in .env.example and in docs/configuration.md, variable by variable', async () => {
    const { Env } = await import('../../src/platform/config/env.js');
    const names = Object.keys(new Env()).toSorted();
    const example = await readFile('.env.example', 'utf8');
    expect(
      [...example.matchAll(/^#? ?((?!(?!DKIM)\w+_FILE=)[A-Z_]+)=/gm)].map(([, name]) => name).toSorted(),
    ).toEqual(names);
    const table = await readFile('docs/configuration.md', 'utf8');
    expect([...table.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, name]) => name).toSorted()).toEqual(names);
  });
});
