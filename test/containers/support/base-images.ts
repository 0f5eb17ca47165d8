import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Podman } from './podman.js';

const run = async (file: string, ...parameters: string[]) =>
  (await promisify(execFile)(file, parameters)).stdout.trim();

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** The npm cache, in the container and on this machine, so that no build repeats a download. */
const CACHE = '/npm-cache';
export const npmCache = async () => `${await run('npm', 'config', 'get', 'cache')}:${CACHE}`;

/**
 * Replacements of the images in the Dockerfile, so that a test needs no image registry. Each contains the files of
 * the real image that the Dockerfile uses, with this machine's Node.js, or with Node.js from npm if this machine has
 * another major version.
 * @param names of the images in the `FROM` lines
 * @param version the major version of Node.js
 */
export async function importBaseImages(podman: Podman, names: string[], version: string): Promise<void> {
  const node = await nodeOf(version);
  for (const name of names) {
    const root = join(podman.directory, 'rootfs', name.replaceAll(/\W/g, '-'));
    if (name.startsWith('gcr.io/distroless/nodejs')) await distroless(root, node);
    else await debianWithNode(root, node);
    const archive = join(podman.directory, 'base.tar');
    await run('tar', '-C', root, '-cf', archive, '.');
    await podman.run('import', archive, name);
  }
}

/** Node.js at /nodejs/bin, its libraries, and the user nonroot, without a shell. */
async function distroless(root: string, node: string): Promise<void> {
  await addNode(root, node, '/nodejs/bin/node');
  await add(
    root,
    '/etc/passwd',
    'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n',
  );
  await mkdir(join(root, 'home/nonroot'), { recursive: true });
}

/** Node.js, npm and the programs of a small Linux. */
async function debianWithNode(root: string, node: string): Promise<void> {
  await addNode(root, node, '/usr/bin/node');
  const npm = join(await run('npm', 'root', '--global'), 'npm');
  await cp(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  await mkdir(join(root, 'bin'));
  await cp('/bin/busybox', join(root, 'bin/busybox'));
  await run('chroot', root, '/bin/busybox', '--install', '-s', '/bin');
  await symlink('/bin/env', join(root, 'usr/bin/env'));
  await add(root, '/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
  const registry = await run('npm', 'config', 'get', 'registry');
  await add(root, '/usr/etc/npmrc', `registry=${registry}\nprefer-offline=true\ncache=${CACHE}\n`);
}

/** The program of a major version. */
async function nodeOf(version: string): Promise<string> {
  if (process.version.startsWith(`v${version}.`)) return process.execPath;
  return run('npm', 'exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath');
}

async function addNode(root: string, node: string, path: string): Promise<void> {
  const libraries = (await run('ldd', node)).match(/\/\S+\.so\S*/g) ?? [];
  // Part of glibc, like those that Node.js loads. Native packages load it.
  const others = libraries
    .filter((library) => library.endsWith('/libc.so.6'))
    .map((library) => join(dirname(library), 'librt.so.1'));
  for (const library of [...libraries, ...others]) await copy(library, join(root, library));
  await copy(node, join(root, path));
  await copy(CERTIFICATES, join(root, CERTIFICATES));
  await mkdir(join(root, 'tmp'));
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { dereference: true });
}

async function add(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
