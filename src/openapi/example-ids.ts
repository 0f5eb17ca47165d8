/**
 * Ids in the examples of the OpenAPI document: UUIDv7 of 2024-01-01. The first demo data in a database have these ids
 * (`DemoService`), so that "Try it out" in `/docs` works without changes.
 */
export const EXAMPLE_IDS = {
  project: '018cc251-f400-7000-8000-000000000001',
  /** Empty, so that it can be deleted. */
  empty_project: '018cc251-f400-7000-8000-000000000002',
  status_page: '018cc251-f400-7000-8000-000000000003',
  monitor: '018cc251-f400-7000-8000-000000000004',
  /** Not the key in use, so that it can be revoked. */
  api_key: '018cc251-f400-7000-8000-000000000005',
} as const;

/**
 * The example of `{id}` in a path: for `/v1/status-pages/{id}`, `EXAMPLE_IDS.status_page`. Undefined if the demo has no such
 * resource.
 */
export function exampleIdFor(path: string): string | undefined {
  const [, , resource = ''] = path.split('/');
  if (resource === 'projects') return EXAMPLE_IDS.empty_project; // the other one cannot be deleted
  const name = resource.replaceAll('-', '_').replace(/s$/, '');
  return new Map<string, string>(Object.entries(EXAMPLE_IDS)).get(name);
}
