import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Env } from '../../src/platform/config/env.js';
import { FILE_SUFFIX, SECRETS } from '../../src/platform/config/secret-files.js';
import {
  container,
  deployments,
  directives,
  dockerfile,
  found,
  imageVariables,
  kustomizations,
  pod,
  read,
  service,
} from './deployment-files.js';

const { version }: { version: string } = JSON.parse(read('package.json'));

/** Seconds until SIGKILL. */
const patience: Record<string, number> = {
  'compose.yaml': Number.parseInt(found(service.stop_grace_period), 10),
  'the systemd unit': Number(directives('TimeoutStopSec')[0]),
  'the Deployment': found(pod('Deployment').spec.terminationGracePeriodSeconds),
};

describe.each(Object.entries(deployments))('%s', (_name, variables) => {
  it('sets only existing variables', () => {
    const known = new Set([
      ...Object.keys(new Env()),
      ...SECRETS.map((secret) => `${secret}${FILE_SUFFIX}`),
      'NODE_ENV',
    ]);
    expect(Object.keys(variables).filter((variable) => !known.has(variable))).toEqual([]);
  });

  it('reads its secrets only from files', () => {
    expect(Object.keys(variables).filter((variable) => SECRETS.includes(variable))).toEqual([]);
    expect(variables).toHaveProperty('DATABASE_URL_FILE');
  });
});

describe.each(Object.entries(patience))('%s', (name, seconds) => {
  it('waits longer for the shutdown than the server takes', () => {
    const { DRAIN_DELAY, SHUTDOWN_TIMEOUT } = { ...new Env(), ...deployments[name] };
    expect(seconds).toBeGreaterThan(Number(DRAIN_DELAY) + Number(SHUTDOWN_TIMEOUT));
  });
});

describe('Dockerfile', () => {
  const valueOf = (instruction: string) =>
    found(new RegExp(`^${instruction}[ =](.*)$`, 'm').exec(dockerfile)?.[1]);

  it('starts the server with the flags of bin/v8-flags', () => {
    const flags = execFileSync('sh', ['bin/v8-flags', `v${valueOf('ARG NODE_VERSION')}.0.0`], {
      encoding: 'utf8',
    });
    const command: string[] = JSON.parse(found(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1]));
    expect(command).toEqual([...flags.trim().split(' '), 'dist/src/main.js']);
  });

  it('listens on the exposed port and stops with a supported signal', () => {
    const { HOST, PORT } = imageVariables;
    expect([HOST, PORT]).toEqual(['0.0.0.0', valueOf('EXPOSE')]);
    expect(valueOf('STOPSIGNAL')).toBe('SIGTERM');
  });

  it('runs as a user that owns only its data', () => {
    const folder = found(imageVariables['DATA_DIR']);
    const user = valueOf('USER');
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(valueOf('VOLUME')).toBe(folder);
    const owned = dockerfile.match(/^COPY .*--chown=.*$/gm);
    expect(owned).toEqual([`COPY --from=production-packages --chown=${user} /data ${folder}`]);
  });

  it('restarts with its health check only without a response', () => {
    const command: string[] = JSON.parse(found(/^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(dockerfile)?.[1]));
    expect(command).toEqual(['/nodejs/bin/node', 'bin/health-check.mjs', '/health/live']);
  });

  it('runs each of its commands without a shell', () => {
    const commands = dockerfile.match(/^\s*(RUN|CMD|ENTRYPOINT) .*$/gm) ?? [];
    expect(commands.filter((command) => !/^\s*[A-Z]+ \["/.test(command))).toEqual([]);
  });

  it('contains the version of package.json, like all images', () => {
    expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
    expect(service.image).toBe(`status-pages:${version}`);
    for (const { images } of Object.values(kustomizations))
      expect(images).toMatchObject([{ name: 'status-pages', newTag: version }]);
    for (const kind of ['Deployment', 'Job']) expect(container(kind).image).toBe('status-pages');
  });
});

it('deployments with their own network trust the proxies of private networks', () => {
  for (const name of ['compose.yaml', 'the Deployment'])
    expect(deployments[name]).toMatchObject({ TRUST_PROXY: 'uniquelocal' });
});
