const { randomBytes } = require('node:crypto');

/** The times in the examples of a document. */
const [CREATED, UPDATED] = ['2026-11-21T14:15:00.000Z', '2026-11-21T14:15:00.100Z'];

/** A UUIDv7 of a time. */
function idAt(time) {
  const hex = Date.parse(time).toString(16).padStart(12, '0');
  const [a, b, c] = randomBytes(9)
    .toString('hex')
    .match(/^(...)(...)(.{12})/)
    .slice(1);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${a}-8${b}-${c}`;
}

/** Returns the document of a resource in docs/api: its rules, and an example of each operation with its response. */
exports.apiDocument = ({ path, many, Many, AOne, variable, Name, ofPage, owner }) => {
  const id = idAt(CREATED);
  const fieldsOf = (description, time) =>
    [
      `    "id": "${id}"`,
      `    "name": "${Name}"`,
      `    "description": "${description}"`,
      ...(ofPage ? ['    "status_page_id": "…"'] : []),
      '    "project_id": "018cc251-f400-7000-8000-000000000001"',
      `    "created_at": "${CREATED}"`,
      `    "updated_at": "${time}"`,
    ].join(',\n');
  const shown = (description, time) =>
    `\`\`\`json\n{\n  "data": {\n${fieldsOf(description, time)}\n  }\n}\n\`\`\``;
  const owned = ofPage ? '\\"status_page_id\\":\\"$PAGE\\",' : '';
  const url = `"http://127.0.0.1:3000/v1/${path}`;
  const key = '-H "Authorization: Bearer $KEY"';
  return `# ${Many}

\`\`\`sh
curl -X POST ${url}" \\
  ${key} -H "Content-Type: application/json" \\
  -d "{\\"project_id\\":\\"$PROJECT\\",${owned}\\"name\\":\\"${Name}\\"}"
\`\`\`

${shown('', CREATED)}

${AOne} belongs to a ${owner}, and is deleted with it.${ofPage ? ' `status_page_id` cannot change.' : ''} See [Overview](overview.md) for the rules of all operations.

The following examples use the ID as \`${variable}\`:

\`\`\`sh
curl ${key} ${url}/$${variable}"
\`\`\`

${shown('', CREATED)}

The update operation changes \`name\` and \`description\`:

\`\`\`sh
curl -X PATCH ${key} \\
  -H "Content-Type: application/json" -d '{"description":"More about it."}' ${url}/$${variable}"
\`\`\`

${shown('More about it.', UPDATED)}

The list contains the ${many} of a project.${ofPage ? ' `status_page_id` selects one status page.' : ''}

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
