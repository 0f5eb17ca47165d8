import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase, onPostgres } from '../support/database.js';
import { demoOf, environment, Program, startProgram } from '../support/process.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'status-pages-readme-'));
});
afterEach(async () => {
  await Program.killAll();
  await rm(directory, { recursive: true, force: true });
});

/** The first shell commands of a document, or of one of its chapters. */
async function commandsOf(document: string, chapter?: string): Promise<string[]> {
  const whole = await readFile(document, 'utf8');
  const [, text = ''] = chapter === undefined ? ['', whole] : whole.split(`\n## ${chapter}\n`);
  const [, commands = ''] = /```sh\n([^`]*)```/.exec(text) ?? [];
  return commands.trim().split('\n');
}

describe('the first documents', () => {
  it('contains commands that work in sequence, with a key for the demo project', async () => {
    await cp(inject('templateDataDir'), directory, { recursive: true });
    const server = await startProgram({ DATA_DIR: directory });
    const variables = await demoOf(server);
    const env = { ...environment({ EMBEDDED: undefined, DATA_DIR: directory }), ...variables };
    const commands = await commandsOf('docs/getting-started.md', 'First key');
    expect(commands.slice(1).every((command) => command.startsWith('npm run --silent cli -- '))).toBe(true);
    const script = ['set -e', ...commands].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(commands.length - 1);
    const { key } = answers.find(({ name }) => name === 'CI');
    const list = `${server.url}/v1/status-pages?project_id=${variables.PROJECT}`;
    expect((await fetch(list, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  it('moves the embedded database to a server with two commands', async () => {
    await cp(inject('templateDataDir'), join(directory, 'embedded'), { recursive: true });
    const embedded = environment({ EMBEDDED: undefined, DATA_DIR: join(directory, 'embedded') });
    const target = await createDatabase({ migrated: false });
    const commands = await commandsOf('docs/backup.md');
    expect(commands).toHaveLength(2);
    const script = commands
      .join('\n')
      .replaceAll('status-pages.backup', join(directory, 'status-pages.backup'))
      // Without a server, into another embedded database.
      .replace(
        /DATABASE_URL=\S+/,
        onPostgres
          ? `DATABASE_URL=${target.env.DATABASE_URL}`
          : `EMBEDDED=true DATA_DIR=${target.env.DATA_DIR}`,
      );
    const { stdout } = await promisify(execFile)('bash', ['-c', `set -e\n${script}`], { env: embedded });
    const [backup, restored] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(restored.rows).toBe(backup.rows);
    await target.drop();
  });

  it('describes the build and the startup in production', async () => {
    const commands = await commandsOf('docs/install.md');
    expect(commands.slice(0, 3)).toEqual(['npm ci', 'npm run build', 'npm prune --omit=dev']);
    expect(commands[3]).toMatch(/^DATABASE_URL=postgres:\S+ npm run start:prod$/);
  });

  it('limit README.md to 150 lines and 1,000 words, and describe the service at its end', async () => {
    const readme = await readFile('README.md', 'utf8');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(1000);
    const end = readme.trimEnd().split('\n\n').at(-1);
    for (const missing of ['checks', 'email', 'webhooks', 'custom_domain']) expect(end).toContain(missing);
  });
});
