/** First tags in Swagger UI: what most clients use. Tags of other modules follow them. */
const FIRST = [
  'Status pages',
  'Incidents',
  'Incident templates',
  'Maintenance windows',
  'Monitors',
  'Monitor reports',
  'Receivers',
  'Subscribers',
  'Events',
  'Webhook endpoints',
  'Webhook deliveries',
];
const LAST = ['Projects', 'Members', 'API keys', 'Imports', 'Health', 'Errors'];

/** Returns the tags in their order in Swagger UI. */
export function sortTags(tags: Iterable<string>): string[] {
  const rest = [...tags];
  const take = (names: string[]) => names.filter((name) => rest.includes(name));
  const others = rest.filter((name) => !FIRST.includes(name) && !LAST.includes(name));
  return [...take(FIRST), ...others, ...take(LAST)];
}
