// Starts the built server on a new embedded database, like `npm run start:prod`, lists and updates with the built
// client, and stops it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@status-pages/client';

const directory = mkdtempSync(join(tmpdir(), 'status-pages-smoke-'));
const { DATABASE_URL: _, ...inherited } = process.env;
const env = {
  ...inherited,
  DATA_DIR: directory,
  PORT: '0',
  EMBEDDED: 'true',
  DEMO: 'true',
};
const server = spawn('npm', ['run', '--silent', 'start:prod'], { env, stdio: ['ignore', 'pipe', 'inherit'] });

let output = '';
for await (const chunk of server.stdout.setEncoding('utf8')) {
  output += chunk;
  if (output.includes('curl -X PATCH')) break;
}
const [, url] = /listens on (\S+)/.exec(output);
const [, key] = /^export KEY=(\S+)$/m.exec(output);
const [, project] = /^export PROJECT=(\S+)$/m.exec(output);
const client = createClient({ baseUrl: url, apiKey: key });

for await (const { data, pagination } of client.statusPages.list({ project_id: project, limit: 2 }).pages()) {
  assert.deepEqual([data.length, pagination.has_more], [2, true]);
  assert.equal((await client.statusPages.update(data[0].id, { name: 'Smoke' })).name, 'Smoke');
  break;
}

const exited = once(server, 'exit');
server.kill('SIGTERM');
assert.deepEqual(await exited, [0, null]);
rmSync(directory, { recursive: true });
process.stdout.write('listed and updated over HTTP; stopped with exit code 0\n');
