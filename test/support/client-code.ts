// An integrator's code that uses the client. test/client/package.system.ts compiles it against the packed package.

export const PACKAGE = '@status-pages/client';

/** Correct in every module system. Prints the data that it reads as JSON. */
export const RIGHT = `
import { createClient, List, StatusPagesError } from '${PACKAGE}';
import type {
  ApiKey, ApiKeyCreate, ApiKeyRotation, ClientOptions, components, HttpClient, IfUnchanged, ImportReport, Me, Monitor, MonitorCreate,
  MonitorUpdate, NewApiKey, operations, Page, paths, Problem, Project, ProjectCreate, ProjectUpdate, RetryOptions, Section,
  StatusPage, StatusPageCreate, StatusPagesClient, StatusPageSettingsUpdate, StatusPageUpdate,
} from '${PACKAGE}';

const { STATUS_PAGES_URL = '', KEY = '', PROJECT: project_id = '' } = process.env;
const options: ClientOptions = { baseUrl: STATUS_PAGES_URL, apiKey: KEY, maxRetries: 1 };
const client: StatusPagesClient = createClient(options);

async function main(): Promise<void> {
  const names: string[] = [];
  const list: List<StatusPage> = client.statusPages.list({ project_id, limit: 1 });
  for await (const page of list) names.push(page.name);
  const me: Me = await client.me();
  const scope: 'status_pages:read' | undefined = me.scopes.find((one) => one === 'status_pages:read');
  const { data, error } = await client.http.GET('/v1/projects/{id}', { params: { path: { id: project_id } } });
  const project: Project | undefined = data?.data;
  const problem: Problem | undefined = error;
  const failure: unknown = await client.monitors.get('0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01').catch((one: unknown) => one);
  const code: Problem['code'] | undefined = failure instanceof StatusPagesError ? failure.code : undefined;
  process.stdout.write(JSON.stringify({ names, scope, project: project?.id, problem, code }));
}
void main();

export type Everything = [
  ApiKey, ApiKeyCreate, ApiKeyRotation, components, HttpClient, IfUnchanged, ImportReport, Monitor, MonitorCreate, MonitorUpdate, NewApiKey,
  operations, Page<Monitor>, paths, ProjectCreate, ProjectUpdate, RetryOptions, Section, StatusPageCreate,
  StatusPageSettingsUpdate, StatusPageUpdate,
];
`;

/** CommonJS as TypeScript writes it. */
export const REQUIRED = `
import statusPages = require('${PACKAGE}');
const create: (options: statusPages.ClientOptions) => statusPages.StatusPagesClient = statusPages.createClient;
export = create;
`;

export const WRONG_START = `import { createClient, StatusPagesError, type Me, type StatusPage } from '${PACKAGE}';
declare const client: ReturnType<typeof createClient>, page: StatusPage, me: Me, error: StatusPagesError;
`;
/** Each error is one line of one file, which contains no other error. */
export const MISTAKES = {
  'an export that does not exist': `import { createClinet } from '${PACKAGE}';`,
  'no key': `createClient({ baseUrl: '' });`,
  'an unknown option': `createClient({ baseUrl: '', apiKey: '', retries: 3 });`,
  'an unknown resource': `client.statusPage;`,
  'an unknown method': `client.statusPages.remove(page.id);`,
  'a list without a query': `client.statusPages.list();`,
  'a list without project_id': `client.statusPages.list({ limit: 5 });`,
  'an unknown parameter of a list': `client.statusPages.list({ project_id: '', page: 2 });`,
  'a cursor, which belongs to the client': `client.statusPages.list({ project_id: '', cursor: '' });`,
  'a limit that is a string': `client.statusPages.list({ project_id: '', limit: '5' });`,
  'an item as something else': `client.statusPages.list({ project_id: '' }).toArray().then(([first]) => first?.title);`,
  'an id that is a number': `client.statusPages.get(7);`,
  'a page without project_id': `client.statusPages.create({ name: '' });`,
  'an unknown field': `client.statusPages.update(page.id, { nmae: '' });`,
  'a field of a wrong type': `client.statusPages.update(page.id, { is_public: 'yes' });`,
  'a read-only field': `client.statusPages.update(page.id, { created_at: '' });`,
  'an unknown field of a section': `client.statusPages.update(page.id, { sections: [{ id: '', name: '', monitor_ids: [] }] });`,
  'a version that is a number': `client.statusPages.update(page.id, {}, { ifUnchanged: 3 });`,
  'an unknown field of an answer': `page.title;`,
  'an answer that may be null': `page.custom_domain.length;`,
  'an answer of another type': `const wrong: number = page.history_days + page.name;`,
  'an unknown scope': `client.apiKeys.create({ name: '', scopes: ['status_pages:raed'] });`,
  'an unknown scope of an answer': `me.scopes.some((scope) => scope === 'status_pages:raed');`,
  'an import that is not text': `client.imports.gatus({}, { project_id: '' });`,
  'an unknown code of an error': `error.code === 'not-found';`,
  'an unknown field of a problem': `error.problem?.errors?.[0]?.field;`,
  'an unknown path': `client.http.GET('/v1/status-page');`,
  'a path without its parameters': `client.http.GET('/v1/status-pages/{id}');`,
};
