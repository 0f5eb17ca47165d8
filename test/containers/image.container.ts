import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useCluster } from '../faults/support/cluster.js';
import { until } from '../support/server.js';
import { importBaseImages, npmCache } from './support/base-images.js';
import { Podman } from './support/podman.js';

const IMAGE = 'localhost/status-pages:test';
const NODE = '/nodejs/bin/node';
const CLI = [NODE, 'dist/src/cli/main.js'];
const NONROOT = '65532';
/** Files that must not be part of an image, placed in the build directory. */
const SECRET = 'secret-of-the-folder';

describe('image of the Dockerfile', { tags: ['containers'] }, () => {
  const cluster = useCluster();
  let podman: Podman;
  let secrets: string;

  beforeAll(async () => {
    podman = await Podman.create();
    const dockerfile = await readFile('Dockerfile', 'utf8');
    const [, version = ''] = /^ARG NODE_VERSION=(.+)$/m.exec(dockerfile) ?? [];
    const images = Array.from(dockerfile.matchAll(/^FROM (\S+[:/]\S+)/gm), ([, name = '']) =>
      name.replace('${NODE_VERSION}', version),
    );
    const names = images.map((name) => (name.includes('/') ? name : `docker.io/library/${name}`));
    await importBaseImages(podman, [...new Set(names)], version);
    const build = ['build', '--isolation=chroot', '--pull=never', '--network=host', '--format=docker'];
    const cache = `--volume=${await npmCache()}`;
    await podman.run(...build, '--layers=false', cache, `--tag=${IMAGE}`, await plantedCopy());
    secrets = join(podman.directory, 'secrets');
    await mkdir(secrets);
    const { DATABASE_URL } = await cluster.current.database();
    await writeFile(join(secrets, 'database_url'), `${DATABASE_URL}\n`);
  });
  afterAll(() => podman?.destroy());

  /** The files in git, with secrets beside them. */
  async function plantedCopy(): Promise<string> {
    const folder = join(podman.directory, 'context');
    const { stdout } = await promisify(execFile)('git', [
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
    ]);
    for (const path of stdout.trim().split('\n')) await cp(path, join(folder, path), { recursive: true });
    for (const path of ['.env', 'data/key', 'node_modules/planted/index.js', 'dist/planted.js'])
      await cp(await secretFile(), join(folder, path));
    return folder;
  }

  async function secretFile(): Promise<string> {
    const path = join(podman.directory, 'planted');
    await writeFile(path, `KEY=${SECRET}\n`);
    return path;
  }

  /** A ready server on a free port, with its database URL from a file. */
  async function startServer(env: Record<string, string> = {}, ...parameters: string[]) {
    const own = { DATABASE_URL_FILE: '/run/secrets/database_url', PORT: '0', HOST: '127.0.0.1' };
    const mount = `--volume=${secrets}:/run/secrets:ro`;
    const id = await podman.start(IMAGE, { ...own, ...env }, mount, ...parameters);
    const url = await until(async () => {
      const { stdout } = await podman.try('logs', id);
      return /listens on (http:[^\s"]+)/.exec(stdout)?.[1];
    });
    return { id, url };
  }

  it('contains only the files that production requires', async () => {
    const archive = join(podman.directory, 'image.tar');
    const id = await podman.run('create', IMAGE);
    await podman.run('export', `--output=${archive}`, id);
    await podman.run('rm', '--volumes', id);
    const { stdout } = await promisify(execFile)('tar', ['-tf', archive], { maxBuffer: 64 * 1024 * 1024 });
    const files = stdout.split('\n').filter((path) => path.startsWith('app/'));
    const top = new Set(files.map((path) => path.split('/')[1]).filter((name) => name !== ''));
    expect([...top].toSorted()).toEqual([
      'LICENSE',
      'bin',
      'clients',
      'dist',
      'node_modules',
      'package.json',
      'packages',
    ]);
    const manifest: Record<'dependencies' | 'devDependencies', object> = JSON.parse(
      await readFile('package.json', 'utf8'),
    );
    // A package of the workspace is a link.
    const folderOf = (name: string) => name.replace(/^@status-pages\//, '../packages/');
    const has = (name: string) => files.includes(join('app/node_modules', folderOf(name), 'package.json'));
    expect(Object.keys(manifest.dependencies).filter((name) => !has(name))).toEqual([]);
    // A production dependency can also require a development dependency.
    const tools = ['typescript', 'vitest', 'oxlint', 'prettier', '@nestjs/testing'];
    expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(tools));
    expect(tools.filter(has)).toEqual([]);
    expect(
      stdout.split('\n').filter((path) => /planted|^app\/\.env|(^|\/)bin\/(sh|npm)$/.test(path)),
    ).toEqual([]);
    const grep = promisify(execFile)('grep', ['-c', SECRET, archive]);
    await expect(grep).rejects.toMatchObject({ stdout: '0\n' });
  });

  it('runs without privileges on a read-only root, with the flags of bin/serve', async () => {
    const { id, url } = await startServer();
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const pid = await podman.run('inspect', id, '--format={{.State.Pid}}');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${NONROOT}\\s+${NONROOT}`, 'm'));
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^NSpid:.*\s1$/m); // signals reach Node.js itself
    const version = await podman.run('exec', id, NODE, '--version');
    const { stdout: flags } = await promisify(execFile)('sh', ['bin/v8-flags', version]);
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    expect(command.slice(0, -1)).toEqual([NODE, ...flags.trim().split(' '), 'dist/src/main.js']);
    const write = (path: string) => podman.try('exec', id, NODE, '-e', `fs.writeFileSync('${path}', '')`);
    expect((await write('/app/written')).stderr).toContain('EROFS');
    expect(await write('/var/lib/status-pages/written')).toMatchObject({ code: 0 });
    expect((await podman.try('exec', id, '/bin/sh', '-c', 'true')).code).not.toBe(0);
    await podman.run('rm', '--force', '--volumes', id);
  });

  it('reports with its health check whether the server responds', async () => {
    const { id, url } = await startServer({ DATABASE_URL_FILE: '', EMBEDDED: 'true', DEMO: 'false' });
    const { port } = new URL(url);
    const check = (...parameters: string[]) => podman.try('exec', `--env=PORT=${port}`, id, ...parameters);
    const format = '--format={{json .Config.Healthcheck.Test}}';
    const [kind, ...command]: string[] = JSON.parse(await podman.run('image', 'inspect', IMAGE, format));
    expect(kind).toBe('CMD');
    expect(await check(...command)).toMatchObject({ code: 0, stderr: '' });
    expect(await check(NODE, 'bin/health-check.mjs', '/health/ready')).toMatchObject({ code: 0 });
    expect(await check(NODE, 'bin/health-check.mjs', '/nowhere')).toMatchObject({ code: 1 });
    const elsewhere = ['exec', '--env=PORT=9', id, ...command];
    expect(await podman.try(...elsewhere)).toMatchObject({ code: 1 });
    await podman.run('rm', '--force', '--volumes', id);
  });

  it('creates a key with its command line and stops at SIGTERM', async () => {
    const { id, url } = await startServer();
    const cli = async (...parameters: string[]) => {
      const printed: { id: string; key: string } = JSON.parse(
        await podman.run('exec', id, ...CLI, ...parameters),
      );
      return printed;
    };
    const organization = await cli('organization', 'create', '--name', 'Acme');
    const project = await cli('project', 'create', '--organization', organization.id, '--name', 'Cloud');
    const { key } = await cli(
      'api-key',
      'create',
      '--name',
      'First',
      '--project',
      project.id,
      '--all-scopes',
    );
    const answer = await fetch(`${url}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { data: { project_ids: [project.id] } },
    ]);
    const { port } = new URL(url);
    const settings = [`--env=STATUS_PAGES_URL=http://127.0.0.1:${port}`, `--env=STATUS_PAGES_KEY=${key}`];
    const command = (...parameters: string[]) =>
      podman.run('exec', ...settings, id, NODE, 'clients/typescript/bin/status-pages.js', ...parameters);
    await command('page', 'create', 'Acme', '--slug', 'acme');
    expect(await command('status', 'acme')).toContain('Acme: ');
    await podman.run('stop', '--time=60', id);
    const { stdout, stderr } = await podman.try('logs', id);
    expect(await podman.run('inspect', id, '--format={{.State.ExitCode}}')).toBe('0');
    expect(stderr).toBe('');
    expect(stdout).not.toMatch(/"level":[5-9]\d/);
    await podman.run('rm', '--volumes', id);
  });

  it('stores the data of the embedded database in its volume', async () => {
    const env = { DATABASE_URL_FILE: '', EMBEDDED: 'true', DEMO: 'false' };
    const volume = '--volume=kept:/var/lib/status-pages';
    const first = await startServer(env, volume);
    await podman.run('exec', first.id, ...CLI, 'organization', 'create', '--name', 'Kept');
    await podman.run('stop', '--time=60', first.id);
    const second = await startServer(env, volume);
    expect(await podman.run('exec', second.id, ...CLI, 'organization', 'list')).toContain('"name":"Kept"');
    await podman.run('rm', '--force', first.id, second.id);
  });

  it('exits with 1 and the reason without a database', async () => {
    const id = await podman.start(IMAGE, {});
    expect(await podman.run('wait', id)).toBe('1');
    expect((await podman.try('logs', id)).stderr).toContain('DATABASE_URL must be set');
    await podman.run('rm', '--volumes', id);
  });
});
