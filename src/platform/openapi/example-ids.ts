/**
 * IDs in the examples of the OpenAPI document: UUIDv7 of 2024-01-01. The first demo data in a database get these IDs
 * (`DemoService`), so that "Try it out" in `/docs` works without changes.
 */
export const EXAMPLE_IDS = {
  project: '018cc251-f400-7000-8000-000000000001',
  /** Empty, so that it can be deleted. */
  empty_project: '018cc251-f400-7000-8000-000000000002',
  status_page: '018cc251-f400-7000-8000-000000000003',
  monitor: '018cc251-f400-7000-8000-000000000004',
  /** Not the calling key, so that it can be revoked. */
  api_key: '018cc251-f400-7000-8000-000000000005',
  incident: '018cc251-f400-7000-8000-000000000006',
  incident_update: '018cc251-f400-7000-8000-000000000007',
  maintenance: '018cc251-f400-7000-8000-000000000008',
  incident_template: '018cc251-f400-7000-8000-000000000009',
  maintenance_update: '018cc251-f400-7000-8000-00000000000a',
  /** Can be restored. */
  deleted_status_page: '018cc251-f400-7000-8000-00000000000b',
  subscriber: '018cc251-f400-7000-8000-00000000000c',
  event: '018cc251-f400-7000-8000-00000000000d',
  webhook_endpoint: '018cc251-f400-7000-8000-00000000000e',
  delivery: '018cc251-f400-7000-8000-00000000000f',
  /** Has a custom domain. */
  other_status_page: '018cc251-f400-7000-8000-000000000011',
  access_link: '018cc251-f400-7000-8000-000000000010',
  /** Not the example, so that it can sign in. */
  admin: '018cc251-f400-7000-8000-000000000013',
  member: '018cc251-f400-7000-8000-000000000012',
  check: '018cc251-f400-7000-8000-000000000014',
  incident_draft: '018cc251-f400-7000-8000-000000000015',
  /** Can be published. */
  other_incident_draft: '018cc251-f400-7000-8000-000000000016',
} as const;

/** Plural endings and their singular: monitors, statuses, policies, or a word that does not change. */
const PLURALS: [RegExp, string][] = [
  [/s$/, ''],
  [/es$/, ''],
  [/ies$/, 'y'],
  [/$/, ''],
];

/**
 * Returns the example of the ID that follows a path: `EXAMPLE_IDS.status_page` after `/v1/status-pages`,
 * `EXAMPLE_IDS.incident_update` after `/v1/incidents/{id}/updates`. Returns undefined if the demo contains no such resource.
 */
export function exampleIdFor(path: string): string | undefined {
  if (path === '/v1/projects') return EXAMPLE_IDS.empty_project; // the other one cannot be deleted
  if (path.endsWith('/access/links')) return EXAMPLE_IDS.access_link;
  const resources = path.split('/').filter((part, index) => index > 1 && !part.startsWith('{'));
  const ids = new Map<string, string>(Object.entries(EXAMPLE_IDS));
  const names = PLURALS.map(([plural, singular]) =>
    resources.map((resource) => resource.replaceAll('-', '_').replace(plural, singular)).join('_'),
  );
  return names.map((name) => ids.get(name)).find((id) => id !== undefined);
}
