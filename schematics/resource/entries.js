/** The statement that creates one in the demo. */
exports.demoStatement = ({ objects, exampleKey, Name, ofPage }) =>
  ofPage
    ? `
      for (const { id: status_page_id } of statusPages.slice(-1))
        await this.${objects}.createIn(
          actor,
          project_id,
          { id: ids.${exampleKey}, status_page_id, name: '${Name}' },
          manager,
        );
`
    : `      await this.${objects}.createIn(actor, project_id, { id: ids.${exampleKey}, name: '${Name}' }, manager);
`;

/** The entry in the table of resources of the tests. */
exports.testResource = ({ path, table, Name, ofPage }) => {
  const create = ofPage
    ? `async (server, tenant) => ({ status_page_id: (await server.page(tenant)).id, name: '${Name}' })`
    : `() => ({ name: '${Name}' })`;
  return `  {
    table: '${table}',
    path: '/v1/${path}',
    scopes: { read: '${table}:read', write: '${table}:write' },
    owner: 'project',
    create: ${create},
    patches: { '': () => ({ name: 'Changed', description: 'Changed' }) },
    actions: [],
${ofPage ? '' : `    goesWithProject: 'it is of no use without the project',\n`}  },
`;
};

/** The exported types of the client. */
exports.clientTypes = (Class) =>
  ['', 'Create', 'Update']
    .map((kind) => `export type ${Class}${kind} = Schemas['${Class}${kind}'];\n`)
    .join('');

/** The methods of the client. */
exports.clientMethods = ({ path, objects, Class, Classes }) => `    ${objects}: {
      list: (query: ListQuery<'list${Classes}'>): List<${Class}> =>
        new List(async (cursor) =>
          pageOf(await http.GET('/v1/${path}', { params: { query: { ...query, cursor } } })),
        ),
      create: async (body: ${Class}Create): Promise<${Class}> =>
        dataOf(await http.POST('/v1/${path}', { body })),
      get: async (id: string): Promise<${Class}> =>
        dataOf(await http.GET('/v1/${path}/{id}', { params: { path: { id } } })),
      update: async (id: string, body: ${Class}Update, condition?: IfUnchanged): Promise<${Class}> =>
        dataOf(await http.PATCH('/v1/${path}/{id}', { params: paramsOf(id, condition), body })),
      delete: async (id: string, condition?: IfUnchanged): Promise<void> =>
        requireSuccess(await http.DELETE('/v1/${path}/{id}', { params: paramsOf(id, condition) })),
    },

`;
