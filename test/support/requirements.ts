import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const hasOpenSsl = runs('openssl', 'version');
  return [
    requirement('postgres', 'PostgreSQL: `npm run test:postgres`', mode !== 'test'),
    requirement('embedded', 'the embedded PostgreSQL: `npm test`', mode === 'test'),
    requirement('sessions', 'no PgBouncer before the database', mode !== 'pgbouncer'),
    requirement('pgbouncer', "Debian's package pgbouncer", hasPgBouncer),
    requirement('openssl', "Debian's package openssl", hasOpenSsl),
    requirement(
      'redis',
      "Debian's packages redis-server and openssl",
      hasOpenSsl && runs('redis-server', '--version'),
    ),
    requirement('nginx', "Debian's packages nginx and openssl", hasOpenSsl && runs('nginx', '-v')),
    requirement('caddy', "Debian's packages caddy and openssl", hasOpenSsl && runs('caddy', 'version')),
    requirement('systemd', "Debian's package systemd", runs('systemd-analyze', '--version')),
    requirement('python', "Debian's package python3", runs('python3', '--version')),
    requirement('go', "Debian's package golang-go", runs('go', 'version')),
    requirement('ruby', "Debian's package ruby", runs('ruby', '--version')),
    requirement('php', "Debian's package php-cli", runs('php', '--version')),
    requirement('curl', "Debian's package curl", runs('curl', '--version')),
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
