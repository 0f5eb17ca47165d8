const { insertBefore, replaceOnly } = require('./change-text.js');

/** Inserts text after the only match of a pattern. */
const insertAfter = (text, pattern, inserted) => replaceOnly(text, pattern, (found) => found + inserted);

/** The lines of a resource that its status page and the feeds show, in existing files. */
exports.shownEditsOf = (names) => {
  const { path, file, table, Class, Classes, object, objects, one, many, Many, aOne, AOne } = names;
  const MAX = `MAX_${table.toUpperCase()}`;
  const toData = `to${Class}`;
  const read = `(await this.${objects}.shownOn(showing, ${MAX}, manager)).map(${toData})`;
  const module = `import { ${Classes}Module } from '../../${path}/${path}.module.js';\n`;
  const service = `import { ${Classes}Service } from '../${path}/${path}.service.js';\n`;
  const injected = `    private readonly ${objects}: ${Classes}Service,\n`;
  return {
    'src/page-model/page-data.ts': (text) => {
      const type = `/** ${AOne}. */
export interface ${Class}Data {
  id: string;
  name: string;
  /** Markdown. */
  description: string;
  created_at: Date;
  updated_at: Date;
}

/** Maximum number of ${many} on a page, and in a feed. */
export const ${MAX} = 20;

`;
      const field = `  /** Newest first, at most {@link ${MAX}}. */\n  ${table}: ${Class}Data[];\n`;
      const declared = insertBefore(
        text,
        /^\/\*\* An incident that has affected a monitor, for links/m,
        type,
      );
      const ofOverview = insertBefore(
        declared,
        /^ {2}\/\*\* Incidents of the days of all monitors\./m,
        field,
      );
      return insertAfter(ofOverview, /^export interface LatestPart \{\n {2}page: PageHead;\n/m, field);
    },
    'src/page-model/page-snapshot.ts': (text) => {
      const imported = insertBefore(text, /^ {2}AffectedData,/m, `  ${Class}Data,\n`);
      const convert = `/** Returns ${aOne} in the format of the page. */
export const ${toData} = (${object}: ${Class}Data): ${Class}Data => ({
  ...${object},
  name: plainName(${object}.name),
  description: plainText(${object}.description),
});

`;
      return insertBefore(imported, /^\/\*\* Returns a function that converts maintenance windows/m, convert);
    },
    'src/page-model/page-reader.service.ts': (text) =>
      [
        [/^import \{ MonitorsService \}/m, service],
        [/^ {2}RECENT_DAYS,/m, `  ${MAX},\n`],
        [/^ {2}toHead,/m, `  ${toData},\n`],
        [/^ {4}private readonly summaries: /m, injected],
        [/^ {6}recent: \{/m, `      ${table}: ${read},\n`],
      ].reduce((changed, [pattern, lines]) => insertBefore(changed, pattern, lines), text),
    'src/page-model/history-reader.service.ts': (text) => {
      const imported = insertBefore(text, /^import \{ isMonth, /m, service);
      const limited = insertAfter(imported, /type LatestPart,/, ` ${MAX},`);
      const converting = insertAfter(limited, /latestFirst,/, ` ${toData},`);
      const injecting = insertAfter(
        converting,
        /private readonly maintenances: MaintenancesService,\n/,
        injected,
      );
      const latest = /\(\{ starts_at \}\) => starts_at,\n {4}\);\n {4}return \{\n {6}page: page\.page,\n/;
      return insertAfter(injecting, latest, `      ${table}: ${read},\n`);
    },
    'src/page-documents/rendering/rendering.module.ts': (text) => {
      const imported = insertBefore(text, /^import \{ MonitorsModule \}/m, module);
      return insertBefore(imported, /^ {4}MonitorsModule,/m, `    ${Classes}Module,\n`);
    },
    'src/page-documents/components/overview-page.tsx': (text) => {
      const line = `import { ${Class}Card } from './${file}.js';\n`;
      const section = `        {overview.${table}.length > 0 && (
          <section aria-labelledby="${path}">
            <h2 id="${path}">{view.words.${table}}</h2>
            {overview.${table}.map((${object}) => (
              <${Class}Card ${object}={${object}} view={view} />
            ))}
          </section>
        )}
`;
      return insertBefore(insertBefore(text, /^import \{ scaleOf \}/m, line), /^ {8}<Sections /m, section);
    },
    'src/page-documents/feeds/entries.ts': (text) => {
      const entry = `const of${Class} =
  (view: View) =>
  ({ id, name, description, created_at, updated_at }: ${Class}Data): Candidate => ({
    id: urnOf(id),
    url: \`\${view.links.absolute({ kind: 'overview' })}#${file}-\${id}\`,
    title: name,
    html: () => markdownToHtml(description),
    published: created_at,
    updated: updated_at,
  });

`;
      const imported = replaceOnly(
        text,
        /import type \{(?=[^}]*LatestPart)/,
        (line) => `${line} ${Class}Data,`,
      );
      const listed = insertBefore(
        imported,
        /^ \*\/\nexport function feedData/m,
        ` * - each ${one}: \`urn:uuid:{id}\`\n`,
      );
      const added = insertAfter(listed, /const entries = \[/, `...latest.${table}.map(of${Class}(view)), `);
      return insertBefore(added, /^const ofMaintenance =/m, entry);
    },
    'src/page-model/languages/en/new-words.ts': (text) =>
      insertAfter(text, /NEW_WORDS = \{/, `\n  /** Heading on the overview. */\n  ${table}: '${Many}',\n`),
    'test/public-page/components-data.ts': (text) =>
      insertBefore(text, /^ {4}recent: \{ incidents: \[\]/m, `    ${table}: [],\n`),
    'test/public-page/feeds/any-text.test.ts': (text) =>
      insertAfter(text, /return \{ page: pageSaying\(text\),/, ` ${table}: [],`),
    'docs/public-pages.md': (text) =>
      insertBefore(
        text,
        /^## Past incidents/m,
        `## ${Many}\n\nThe overview shows the newest 20 ${many} of the page above its sections, and each feed contains them. \`description\` is Markdown.\n\n`,
      ),
    [`src/${path}/dto/${file}.dto.ts`]: (text) =>
      replaceOnly(
        text,
        /description: 'Description of the [\w ]+\.'/,
        `description: 'Text of the ${one}, in Markdown.'`,
      ),
  };
};
