// Starts the built server on a new embedded database, as `npm run start:prod` does; lists, updates, stops it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'status-pages-smoke-'));
const env = {
  ...process.env,
  DATA_DIR: directory,
  PORT: '0',
  DATABASE_URL: '',
  LOG_LEVEL: 'warn',
  DEMO: 'true',
};
const server = spawn('npm', ['run', '--silent', 'start:prod'], { env, stdio: ['ignore', 'pipe', 'inherit'] });

let output = '';
for await (const chunk of server.stdout.setEncoding('utf8')) {
  output += chunk;
  if (output.includes('curl -X PATCH')) break;
}
const [, url] = /listens on (\S+)/.exec(output);
const [, key] = /^ +(sp_\w+)$/m.exec(output);
const [, project] = /project_id=([0-9a-f-]+)/.exec(output);
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

const list = await fetch(`${url}/v1/status-pages?project_id=${project}&limit=2`, { headers });
assert.equal(list.status, 200);
const { data, pagination } = await list.json();
assert.deepEqual([data.length, pagination.has_more], [2, true]);

const body = JSON.stringify({ name: 'Smoke' });
const update = await fetch(`${url}/v1/status-pages/${data[0].id}`, { method: 'PATCH', headers, body });
assert.equal(update.status, 200);
assert.equal((await update.json()).data.name, 'Smoke');

const exited = once(server, 'exit');
server.kill('SIGTERM');
assert.deepEqual(await exited, [0, null]);
rmSync(directory, { recursive: true });
process.stdout.write('listed and updated over HTTP; stopped with exit code 0\n');
