// Bundles the modules that tsc has written to dist/modules/ into dist/src/, because loading 1,900 modules takes most of a start
// (docs/decisions/bundle.md).
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** The programs, and the entries of threads. They keep their paths from src/. */
const ENTRIES = [
  'main',
  'cli/main',
  'branding/images/svg.worker',
  'imports/reader.worker',
  'platform/admin/admin.worker',
  'page-documents/rendering/render.worker',
];

/** Packages of many ES modules. CommonJS packages load as fast unbundled. */
const OF_MODULES = [
  '@hexagon/base64',
  '@levischuck/tiny-cbor',
  '@simplewebauthn/server',
  'asn1js',
  'entities',
  'es-toolkit',
  'jose',
  'mdurl',
  'oauth4webapi',
  'openid-client',
  'pvtsutils',
  'pvutils',
  'tsyringe',
  'uuid',
];

const manifestOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Packages that import NestJS. They must share its classes, so they are bundled with it. */
const ofNestjs = Object.keys(dependencies).filter((name) =>
  Object.keys(manifestOf(name).peerDependencies ?? {}).some((peer) => peer.startsWith('@nestjs/')),
);
const bundled = new Set([...OF_MODULES, ...ofNestjs]);

/** NestJS also tries to import packages that are not installed. */
function isBundled(id) {
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(id) ?? [id];
  if (name.startsWith('@nestjs/')) return existsSync(`node_modules/${name}`);
  return bundled.has(name) || name.startsWith('@peculiar/'); // parsers of @simplewebauthn/server
}

/** Time for which files of earlier builds are kept. */
const KEPT_MS = 24 * 3_600_000;

const isExternal = (id) => !/^[./]/.test(id) && !isBundled(id);
const isAsset = (path) => !/tsconfig\.json$|\.d\.ts$/.test(path);

const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, `dist/modules/src/${entry}.js`])),
  platform: 'node',
  external: isExternal,
});
await bundle.write({
  dir: 'dist/src',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  keepNames: true, // NestJS, TypeORM and the OpenAPI document use the names of classes
  sourcemap: true,
  // V8 stores a file with one character beyond Latin-1 in two bytes per character.
  charset: 'ascii',
  comments: { legal: true, annotation: false, jsdoc: false },
});
for (const folder of ['manage/assets', 'page-documents/assets', 'platform/openapi/assets'])
  cpSync(`src/${folder}`, `dist/src/${folder}`, { recursive: true, filter: isAsset });

// A running server still loads chunks of its own build, so files of earlier builds are kept for a day.
for (const entry of readdirSync('dist/src', { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name);
  if (entry.isFile() && statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path);
}
