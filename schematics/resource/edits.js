const { insertBefore, replaceOnly } = require('./change-text.js');
const { clientMethods, clientTypes, demoStatement, testResource } = require('./entries.js');

/** The example ids are numbered. */
function nextExampleId(text) {
  const numbers = [...text.matchAll(/018cc251-f400-7000-8000-([0-9a-f]{12})/g)].map(([, hex]) =>
    parseInt(hex, 16),
  );
  return `018cc251-f400-7000-8000-${(Math.max(...numbers) + 1).toString(16).padStart(12, '0')}`;
}

/** The lines of a new resource in existing files: how the text of each changes. */
exports.editsOf = (names) => {
  const {
    path,
    table,
    exampleKey,
    Class,
    Classes,
    objects,
    AOne,
    aOne,
    many,
    Many,
    variable,
    type,
    timestamp,
    ofPage,
  } = names;
  const scopes = [`${table}:read`, `${table}:write`];
  const listed = (before, after) => scopes.map((scope) => before + scope + after).join('');
  const migration = `${Classes}${timestamp}`;
  return {
    'src/app.module.ts': (text) => {
      const line = `import { ${Classes}Module } from './${path}/${path}.module.js';\n`;
      const imported = insertBefore(text, /^import \{ MonitorsModule \}/m, line);
      return insertBefore(imported, /^ {4}DaysModule,/m, `    ${Classes}Module,\n`);
    },
    'src/platform/auth/scopes.ts': (text) =>
      insertBefore(text, /^ {2}'api_keys:read',/m, listed(`  '`, `',\n`)),
    // Editors write the resources of projects and status pages.
    'src/members/roles.ts': (text) => replaceOnly(text, /'subscribers:write'/, `$&, '${table}:write'`),
    'test/members/roles.test.ts': (text) => replaceOnly(text, /'subscribers:write'/, `$&, '${table}:write'`),
    'docs/api/members.md': (text) => replaceOnly(text, /`subscribers:write`/, `$&, \`${table}:write\``),
    'src/platform/openapi/example-ids.ts': (text) =>
      insertBefore(text, /^\} as const;/m, `  ${exampleKey}: '${nextExampleId(text)}',\n`),
    'src/platform/database/migrations/index.ts': (text) => {
      const line = `import { ${migration} } from './${timestamp}-${path}.js';\n`;
      return insertBefore(
        insertBefore(text, /^\n\/\*\* All migrations/m, line),
        /^\];/m,
        `  ${migration},\n`,
      );
    },
    'src/platform/log/logged-types.ts': (text) => {
      const line = (verb, change) => `  '${type}.${verb}': '${AOne} has been ${change}.',\n`;
      const lines = line('created', 'created') + line('updated', 'changed') + line('deleted', 'deleted');
      return insertBefore(text, /^\} as const/m, lines);
    },
    'src/manage/log-words.ts': (text) => {
      const line = (verb) => `  '${type}.${verb}': '${verb === 'updated' ? 'changed' : verb} ${aOne}',\n`;
      const lines = line('created') + line('updated') + line('deleted');
      return insertBefore(text, /^\};\n\n\/\*\* Ways of changes/m, lines);
    },
    'src/demo/demo.module.ts': (text) => {
      const line = `import { ${Classes}Module } from '../${path}/${path}.module.js';\n`;
      const imported = insertBefore(text, /^import \{ DemoService \}/m, line);
      return insertBefore(imported, /^ {4}ApiKeysModule,/m, `    ${Classes}Module,\n`);
    },
    'src/demo/demo.service.ts': (text) => {
      const line = `import { ${Classes}Service } from '../${path}/${path}.service.js';\n`;
      const imported = insertBefore(text, /^import \{[^}]*DELETED_PAGE/m, line);
      const parameter = `    private readonly ${objects}: ${Classes}Service,\n`;
      const injected = insertBefore(imported, /^ {4}private readonly apiKeys: /m, parameter);
      return insertBefore(injected, /^ {6}const demoKey = /m, demoStatement(names));
    },
    // Above what it can depend on, and below the rooms that show it.
    'test/architecture/rooms.test.ts': (text) =>
      replaceOnly(text, /'domains',\s+'incidents'/, (line) => `'${path}', ${line}`),
    'test/support/resources.ts': (text) =>
      insertBefore(text, /^ {2}\{\n {4}table: 'api_keys',/m, testResource(names)),
    'test/docs/examples.system.ts': (text) => {
      const line = String.raw`  [/-X POST "[^"]*\/v1\/${path}"/, '${variable}'],`;
      return insertBefore(text, /^.*\/api-keys"\/, 'API_KEY'\],/m, `${line}\n`);
    },
    'clients/typescript/src/index.ts': (text) => {
      const typed = insertBefore(text, /^export type ApiKey = /m, clientTypes(Class));
      return insertBefore(typed, /^ {4}apiKeys: \{/m, clientMethods(names));
    },
    'clients/typescript/README.md': (text) =>
      insertBefore(text, /`members`, `apiKeys` and `imports`/, `\`${objects}\`, `),
    'docs/api/overview.md': (text) => {
      const item = `- [${Many}](${path}.md)\n`;
      const linked = insertBefore(text, /^- \[Projects, API keys, /m, item);
      return replaceOnly(
        linked,
        /(\*\*project\*\* owns [\w ,]+) and status pages/,
        `$1, ${many} and status pages`,
      );
    },
    'docs/api/keys-and-imports.md': (text) => {
      const deletion = /(Deleting a project deletes its [\w ,]+) and ([\w ]+)\./;
      // The deletion of a project with a status page fails.
      return ofPage ? text : replaceOnly(text, deletion, `$1, $2 and ${many}.`);
    },
    'CHANGELOG.md': (text) => {
      const line = `- ${Many}: list, create, read, update, delete.\n`;
      return replaceOnly(text, /^## \[Unreleased\]\n\n### Added\n\n/m, (heading) => heading + line);
    },
  };
};
