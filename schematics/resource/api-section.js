const { randomBytes } = require('node:crypto');

const TIMES = /"(?:created|updated)_at": "(2[0-9T:.-]+Z)"/g;

/** Some time after the last one of the examples in a text: examples are run in their order. */
function timeAfter(text, milliseconds) {
  const last = Math.max(...[...text.matchAll(TIMES)].map(([, time]) => Date.parse(time)));
  return new Date(last + milliseconds);
}

/** A UUIDv7 of a time. */
function idAt(time) {
  const hex = time.getTime().toString(16).padStart(12, '0');
  const [a, b, c] = randomBytes(9)
    .toString('hex')
    .match(/^(...)(...)(.{12})/)
    .slice(1);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${a}-8${b}-${c}`;
}

/**
 * The section of docs/api.md: rules, operations, and an example of each with its response.
 * @param before the text before the section
 */
exports.apiSection = ({ path, table, many, Many, aOne, AOne, variable, Name, ofPage, owner }, before) => {
  const [created, updated] = [timeAfter(before, 100), timeAfter(before, 200)];
  const id = idAt(created);
  const [createdAt, updatedAt] = [created.toISOString(), updated.toISOString()];
  const page = ofPage
    ? {
        row: '`project_id`, `status_page_id`, `name`',
        filter: ' `status_page_id` finds those of one status page.',
      }
    : { row: '`project_id`, `name`', filter: '' };
  const rules = [
    '`id`',
    '`name` (1 to 200 code points, not only white space)',
    '`description` (up to 2,000 code points, default `""`)',
    ...(ofPage ? ['`status_page_id`, which cannot change'] : []),
    '`project_id`',
    '`created_at` and `updated_at`',
  ];
  const fieldsOf = (description, time) =>
    [
      `    "id": "${id}"`,
      `    "name": "${Name}"`,
      `    "description": "${description}"`,
      ...(ofPage ? ['    "status_page_id": "…"'] : []),
      '    "project_id": "018cc251-f400-7000-8000-000000000001"',
      `    "created_at": "${createdAt}"`,
      `    "updated_at": "${time}"`,
    ].join(',\n');
  const shown = (description, time) =>
    `\`\`\`json\n{\n  "data": {\n${fieldsOf(description, time)}\n  }\n}\n\`\`\``;
  const owned = ofPage ? '\\"status_page_id\\":\\"$PAGE\\",' : '';
  const url = `"http://127.0.0.1:3000/v1/${path}`;
  const key = '-H "Authorization: Bearer $KEY"';
  return `## ${Many}

${AOne} belongs to a ${owner}, and is deleted with it. It has ${rules.join(', ')}.

| operation | scope | |
| --- | --- | --- |
| \`GET /v1/${path}\` | \`${table}:read\` | lists the ${many} of a project, newest first, with \`project_id\`, \`limit\` and \`cursor\` as in the list of status pages.${page.filter} |
| \`POST /v1/${path}\` | \`${table}:write\` | takes ${page.row} and, optionally, \`description\` |
| \`GET /v1/${path}/{id}\` | \`${table}:read\` | reads ${aOne} |
| \`PATCH /v1/${path}/{id}\` | \`${table}:write\` | takes \`name\` and \`description\` |
| \`DELETE /v1/${path}/{id}\` | \`${table}:write\` | deletes ${aOne} |

\`\`\`sh
curl -X POST ${url}" \\
  ${key} -H "Content-Type: application/json" \\
  -d "{\\"project_id\\":\\"$PROJECT\\",${owned}\\"name\\":\\"${Name}\\"}"
\`\`\`

${shown('', createdAt)}

Set \`${variable}\` to the ID in the response:

\`\`\`sh
curl ${key} ${url}/$${variable}"
\`\`\`

${shown('', createdAt)}

\`\`\`sh
curl -X PATCH ${key} \\
  -H "Content-Type: application/json" -d '{"description":"More about it."}' ${url}/$${variable}"
\`\`\`

${shown('More about it.', updatedAt)}

\`\`\`sh
curl ${key} ${url}?project_id=$PROJECT&limit=1"
\`\`\`

\`\`\`json
{
  "data": ["…"],
  "pagination": "…"
}
\`\`\`

\`\`\`sh
curl -X DELETE --write-out "%{http_code}" ${key} ${url}/$${variable}"
\`\`\`

\`\`\`text
204
\`\`\`

`;
};
