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
  incident: '018cc251-f400-7000-8000-000000000006',
  incident_update: '018cc251-f400-7000-8000-000000000007',
  maintenance: '018cc251-f400-7000-8000-000000000008',
} as const;

/** How a plural ends, and its singular: monitors, statuses, policies, or a word without another form. */
const PLURALS: [RegExp, string][] = [
  [/s$/, ''],
  [/es$/, ''],
  [/ies$/, 'y'],
  [/$/, ''],
];

/**
 * The example of the id that follows a path: after `/v1/status-pages`, `EXAMPLE_IDS.status_page`; after
 * `/v1/incidents/{id}/updates`, `EXAMPLE_IDS.incident_update`. Undefined if the demo has no such resource.
 */
export function exampleIdFor(path: string): string | undefined {
  if (path === '/v1/projects') return EXAMPLE_IDS.empty_project; // the other one cannot be deleted
  const resources = path.split('/').filter((part, index) => index > 1 && !part.startsWith('{'));
  const ids = new Map<string, string>(Object.entries(EXAMPLE_IDS));
  const names = PLURALS.map(([plural, singular]) =>
    resources.map((resource) => resource.replaceAll('-', '_').replace(plural, singular)).join('_'),
  );
  return names.map((name) => ids.get(name)).find((id) => id !== undefined);
}
