const {
  apply,
  applyTemplates,
  chain,
  mergeWith,
  SchematicsException,
  url,
} = require('@angular-devkit/schematics');
const { apiDocument } = require('./api-document.js');
const { editsOf } = require('./edits.js');
const { namesOf } = require('./names.js');
const { shownEditsOf } = require('./shown.js');

const MIGRATIONS = '/src/platform/database/migrations';

/** A timestamp for a migration, greater than that of every other. */
function nextTimestamp(tree) {
  const used = tree
    .getDir(MIGRATIONS)
    .subfiles.map((name) => parseInt(name, 10))
    .filter(Number.isFinite);
  return Math.max(Date.now(), ...used.map((timestamp) => timestamp + 1));
}

function edit(tree, path, change) {
  try {
    const text = tree.readText(path);
    const changed = change(text);
    if (changed !== text) tree.overwrite(path, changed); // so that the output lists only files that change
  } catch (error) {
    throw new SchematicsException(`${path}: ${error.message}`);
  }
}

/** Formats what the command has written, as `npm run format` does. */
async function format(tree) {
  const prettier = await import('prettier');
  for (const { kind, path } of tree.actions) {
    const { ignored, inferredParser: parser } = await prettier.getFileInfo(`.${path}`, {
      ignorePath: '.prettierignore',
    });
    if (kind === 'd' || ignored || !parser) continue;
    const options = await prettier.resolveConfig(`.${path}`);
    // With the path, because prettier formats type parameters of TSX differently.
    const formatted = await prettier.format(tree.readText(path), { ...options, parser, filepath: path });
    tree.overwrite(path, formatted);
  }
}

const ofTemplates = (folder, names) => mergeWith(apply(url(folder), [applyTemplates(names)]));

const editAll = (edits) => (tree) => {
  for (const [path, change] of Object.entries(edits)) edit(tree, `/${path}`, change);
};

/**
 * @param ofPage whether a status page owns the resource, not only a project
 * @param isShown whether the public page and its feeds show it
 */
const resource =
  (ofPage, isShown = false) =>
  ({ name }) =>
  async (tree, context) => {
    const timestamp = nextTimestamp(tree);
    const names = { ...namesOf(name), ofPage, isShown, owner: ofPage ? 'status page' : 'project', timestamp };
    if (tree.exists(`/src/${names.path}/${names.path}.module.ts`))
      throw new SchematicsException(`src/${names.path} already exists`);
    tree.create(`/docs/api/${names.path}.md`, apiDocument(names));
    context.logger.info(
      `Next, run npm run contract to add ${names.many} to openapi.json and the client's types.`,
    );
    return chain([
      editAll(editsOf(names)),
      ofTemplates('./files', names),
      ...(isShown ? [ofTemplates('./files-shown', names), editAll(shownEditsOf(names))] : []),
      format,
    ]);
  };

exports.ofProject = resource(false);
exports.ofStatusPage = resource(true);
exports.shownOnStatusPage = resource(true, true);
