import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { load, loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { Env } from '../../src/config/env.js';
import { FILE_SUFFIX, SECRETS } from '../../src/config/secret-files.js';

type Variables = Record<string, string>;

/** What the tests read of compose.yaml. */
interface Compose {
  services: Record<
    string,
    {
      image: string;
      environment?: Variables;
      secrets?: string[];
      stop_grace_period?: string;
      ports?: string[];
    }
  >;
  secrets: Record<string, { file: string }>;
}

interface Probe {
  httpGet: { path: string; port: string };
}

/** What the tests read of a Deployment or a Job. */
interface Workload {
  kind: string;
  spec: {
    template: {
      metadata: { annotations?: Variables };
      spec: {
        terminationGracePeriodSeconds?: number;
        containers: {
          image: string;
          args?: string[];
          env: { name: string; value: string }[];
          ports?: { name: string; containerPort: number }[];
          volumeMounts: { name: string; mountPath: string }[];
          livenessProbe?: Probe;
          readinessProbe?: Probe;
        }[];
      };
    };
  };
}

/** Values of a YAML file, without the types of YAML. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const read = (path: string) => readFileSync(path, 'utf8');
const manifests = 'deploy/kubernetes';

const { version }: { version: string } = JSON.parse(read('package.json'));
const dockerfile = read('Dockerfile');
const unit = read('deploy/systemd/status-pages.service');
const compose: Compose = plain(load(read('compose.yaml')));
const workloads: Workload[] = ['deployment.yaml', 'migrate/job.yaml'].flatMap((path) =>
  plain(loadAll(read(join(manifests, path)))),
);

const found = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('not found');
  return value;
};
const pod = (kind: string) => found(workloads.find((workload) => workload.kind === kind)).spec.template;
const container = (kind: string) => found(pod(kind).spec.containers[0]);
const variablesOf = (kind: string): Variables =>
  Object.fromEntries(container(kind).env.map(({ name, value }) => [name, value]));
const directives = (name: string) =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value = '']) => value);

const imageVariables: Variables = Object.fromEntries(
  Array.from(
    found(/^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]).matchAll(/(\w+)=(\S+)/g),
    ([, name = '', value = '']) => [name, value],
  ),
);
const service = found(compose.services['status-pages']);

/** The variables that each way of deployment sets, over those of the image. */
const deployments: Record<string, Variables> = {
  'compose.yaml': { ...imageVariables, ...service.environment },
  'the systemd unit': Object.fromEntries(directives('Environment').map((text) => text.split('='))),
  'the Deployment': { ...imageVariables, ...variablesOf('Deployment') },
  'the Job': { ...imageVariables, ...variablesOf('Job') },
};
/** Seconds until SIGKILL. */
const patience: Record<string, number> = {
  'compose.yaml': Number.parseInt(found(service.stop_grace_period), 10),
  'the systemd unit': Number(directives('TimeoutStopSec')[0]),
  'the Deployment': found(pod('Deployment').spec.terminationGracePeriodSeconds),
};

describe.each(Object.entries(deployments))('%s', (name, variables) => {
  it('sets no variable that there is not', () => {
    const known = new Set([
      ...Object.keys(new Env()),
      ...SECRETS.map((secret) => `${secret}${FILE_SUFFIX}`),
      'NODE_ENV',
    ]);
    expect(Object.keys(variables).filter((variable) => !known.has(variable))).toEqual([]);
  });

  it('has its secrets from files only', () => {
    expect(Object.keys(variables).filter((variable) => SECRETS.includes(variable))).toEqual([]);
    expect(variables).toHaveProperty('DATABASE_URL_FILE');
  });

  it.runIf(name in patience)('waits longer than the server takes to drain and to finish its requests', () => {
    const { DRAIN_DELAY, SHUTDOWN_TIMEOUT } = { ...new Env(), ...variables };
    expect(patience[name]).toBeGreaterThan(Number(DRAIN_DELAY) + Number(SHUTDOWN_TIMEOUT));
  });
});

describe('the Dockerfile', () => {
  it('starts the server with the flags of bin/serve', () => {
    const [, flags = ''] = /^flags='(.*)'$/m.exec(read('bin/serve')) ?? [];
    const command: string[] = JSON.parse(found(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1]));
    expect(command).toEqual([...flags.split(' '), 'dist/src/main.js']);
  });

  it('has each of its commands without a shell', () => {
    const commands = dockerfile.match(/^\s*(RUN|CMD|ENTRYPOINT) .*$/gm) ?? [];
    expect(commands.filter((command) => !/^\s*[A-Z]+ \["/.test(command))).toEqual([]);
  });

  it('has the version of package.json, and so have all images', () => {
    expect(dockerfile).toContain(`org.opencontainers.image.version="${version}"`);
    expect(service.image).toBe(`status-pages:${version}`);
    for (const folder of ['', 'migrate']) {
      const { images }: { images: object[] } = plain(
        load(read(join(manifests, folder, 'kustomization.yaml'))),
      );
      expect(images).toMatchObject([{ name: 'status-pages', newTag: version }]);
    }
    expect(workloads.map(({ kind }) => container(kind).image)).toEqual(['status-pages', 'status-pages']);
  });
});

describe('compose.yaml', () => {
  it('publishes the port of the image on this machine only, and mounts the files that it names', () => {
    expect(service.ports).toEqual([`127.0.0.1:3000:${imageVariables['PORT']}`]);
    for (const { environment = {}, secrets = [] } of Object.values(compose.services)) {
      const files = Object.entries(environment).filter(([name]) => name.endsWith(FILE_SUFFIX));
      for (const [, path] of files) expect(secrets.map((name) => `/run/secrets/${name}`)).toContain(path);
      for (const name of secrets) expect(compose.secrets).toHaveProperty(name, { file: `./secrets/${name}` });
    }
    expect(read('.gitignore')).toMatch(/^\/secrets\/$/m);
  });
});

describe('deploy/kubernetes', () => {
  const { ports = [], livenessProbe, readinessProbe, volumeMounts } = container('Deployment');
  const portOf = (name: string) => String(ports.find((port) => port.name === name)?.containerPort);

  it('has the ports of the server', () => {
    const variables = found(deployments['the Deployment']);
    expect([portOf('http'), portOf('admin')]).toEqual([variables['PORT'], variables['ADMIN_PORT']]);
    expect(pod('Deployment').metadata.annotations).toMatchObject({ 'prometheus.io/port': portOf('admin') });
    const probes = [livenessProbe, readinessProbe].map((probe) => [probe?.httpGet.path, probe?.httpGet.port]);
    expect(probes).toEqual([
      ['/health/live', 'http'],
      ['/health/ready', 'http'],
    ]);
  });

  it('is rendered by kustomize with every file of its folder', () => {
    for (const folder of ['', 'migrate']) {
      const { resources }: { resources: string[] } = plain(
        load(read(join(manifests, folder, 'kustomization.yaml'))),
      );
      const files = readdirSync(join(manifests, folder)).filter((name) => name.endsWith('.yaml'));
      expect([...resources, 'kustomization.yaml'].toSorted()).toEqual(files.toSorted());
    }
  });

  it('mounts a folder that can be written to where the image has its data', () => {
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: imageVariables['DATA_DIR'] });
  });
});

describe('the systemd unit', () => {
  const program = '/usr/bin/systemd-analyze';

  it('hands over the secret that it names', () => {
    const secret = found(deployments['the systemd unit'])['DATABASE_URL_FILE']?.replace('%d/', '');
    expect(directives('LoadCredential')).toEqual([`${secret}:/etc/status-pages/${secret}`]);
  });

  it.skipIf(!existsSync(program))('is accepted by systemd, and is exposed little', async () => {
    const run = async (...parameters: string[]) =>
      promisify(execFile)(program, [...parameters, 'deploy/systemd/status-pages.service']);
    expect((await run('verify')).stderr).toBe('');
    // Fails if the exposure is more than 2.0 of 10.
    await run('security', '--offline=yes', '--threshold=20');
  });
});
