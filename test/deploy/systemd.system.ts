import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Env } from '../../src/platform/config/env.js';
import { deployments, directives, found } from './deployment-files.js';

describe('systemd unit', () => {
  const program = '/usr/bin/systemd-analyze';

  it('passes the secret that it names', () => {
    const secret = found(deployments['the systemd unit'])['DATABASE_URL_FILE']?.replace('%d/', '');
    expect(directives('LoadCredential')).toEqual([`${secret}:/etc/status-pages/${secret}`]);
  });

  it('runs bin/serve for this machine only, with its state directory', () => {
    const [folder] = directives('WorkingDirectory');
    expect(directives('ExecStart')).toEqual([`/bin/sh ${folder}/bin/serve`]);
    expect(existsSync('bin/serve')).toBe(true);
    const { HOST, PORT, DATA_DIR } = found(deployments['the systemd unit']);
    expect([HOST, Number(PORT)]).toEqual([new Env().HOST, new Env().PORT]);
    expect(directives('StateDirectory').map((name) => `%S/${name}`)).toEqual([DATA_DIR]);
  });

  it.each([
    ['DynamicUser', 'yes'],
    ['NoNewPrivileges', 'yes'],
    ['CapabilityBoundingSet', ''],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'yes'],
    ['KillSignal', 'SIGTERM'],
    ['KillMode', 'mixed'],
    ['Restart', 'on-failure'],
    ['RestrictAddressFamilies', 'AF_INET AF_INET6 AF_UNIX AF_NETLINK'],
  ])('sets %s=%s', (name, value) => expect(directives(name)).toEqual([value]));

  it('passes the checks of systemd with low exposure', { tags: ['systemd'] }, async () => {
    const run = async (...parameters: string[]) =>
      promisify(execFile)(program, [...parameters, 'deploy/systemd/status-pages.service']);
    expect((await run('verify')).stderr).toBe('');
    // Fails if the exposure is more than 2.0 of 10.
    await run('security', '--offline=yes', '--threshold=20');
  });
});
