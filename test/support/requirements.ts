import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { TestTagDefinition } from 'vitest/config';
import { hasPgBouncer } from './pgbouncer-version.js';

const isRoot = process.getuid?.() === 0;

const CONTAINER_PROGRAMS = ['/usr/bin/podman', '/usr/sbin/runc', '/bin/busybox'];

function runs(program: string, ...parameters: string[]): boolean {
  try {
    execFileSync(program, parameters, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starting each program to see whether it runs would take a fifth of a second at the beginning of every run. */
function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'status-pages-mount-'));
  try {
    return runs('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory) && runs('umount', directory);
  } finally {
    rmdirSync(directory);
  }
}

/**
 * The requirements of tests beyond Node.js, as tags of Vitest: `describe('…', { tags: ['redis'] }, () => …)`. A test
 * is skipped if one of its requirements is missing. The end of a run lists the number and the reason
 * (`skipped-reporter.ts`).
 * @param mode `--mode` of Vitest, which selects the database: `test`, `postgres` or `pgbouncer`
 */
export function requirements(mode = 'test'): TestTagDefinition[] {
  const requirement = (name: string, description: string, isMet: boolean): TestTagDefinition => ({
    name,
    description,
    ...(!isMet && { skip: true }), // a false would override the requirements of the enclosing suites
  });
  const hasOpenSsl = isInstalled('openssl');
  return [
    requirement('postgres', 'PostgreSQL: `npm run test:postgres`', mode !== 'test'),
    requirement('embedded', 'the embedded PostgreSQL: `npm test`', mode === 'test'),
    requirement('sessions', 'no PgBouncer before the database', mode !== 'pgbouncer'),
    requirement('pgbouncer', "Debian's package pgbouncer", hasPgBouncer),
    requirement('openssl', "Debian's package openssl", hasOpenSsl),
    requirement(
      'redis',
      "Debian's packages redis-server and openssl",
      hasOpenSsl && isInstalled('redis-server'),
    ),
    requirement('nginx', "Debian's packages nginx and openssl", hasOpenSsl && isInstalled('nginx')),
    requirement('caddy', "Debian's packages caddy and openssl", hasOpenSsl && isInstalled('caddy')),
    requirement('systemd', "Debian's package systemd", isInstalled('systemd-analyze')),
    requirement('python', "Debian's package python3", isInstalled('python3')),
    requirement('go', "Debian's package golang-go", isInstalled('go')),
    requirement('ruby', "Debian's package ruby", isInstalled('ruby')),
    requirement('php', "Debian's package php-cli", isInstalled('php')),
    requirement('curl', "Debian's package curl", isInstalled('curl')),
    requirement('linux', 'Linux', process.platform === 'linux'),
    requirement('root', 'root', isRoot),
    requirement('mount', 'the right to mount a file system', isRoot && canMount()),
    requirement(
      'containers',
      "root, and Debian's packages podman, runc and busybox-static",
      isRoot && CONTAINER_PROGRAMS.every((path) => existsSync(path)),
    ),
  ];
}
