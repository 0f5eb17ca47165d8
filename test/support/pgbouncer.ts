import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, freePort } from './free-port.js';
import { preparesStatements } from './pgbouncer-version.js';
import { until } from './server.js';

/** A PgBouncer in front of PostgreSQL, with Debian's defaults except for these settings. */
export async function startPgBouncer(
  url: string,
  settings: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'status-pages-pgbouncer-'));
  await chmod(directory, 0o755); // as root, PgBouncer runs as another user
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(url);
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    ...(preparesStatements && { max_prepared_statements: 200 }), // the default of later versions
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=${hostname} port=${serverPort || 5432} user=${username}${password && ` password=${password}`}`;
  await writeFile(join(directory, 'ini'), ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'));
  const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', ['--quiet', ...user, join(directory, 'ini')], { stdio: 'ignore' });
  await until(() => accepts(port));
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}
