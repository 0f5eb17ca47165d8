import { type Scope } from '../platform/auth/scopes.js';
import type { ImportedPage } from './imported-page.js';

/** Parts of a file whose import requires an additional scope. */
const PARTS = [
  { part: 'reports', field: 'components.status', scope: 'monitor_reports:write' },
  { part: 'incidents', field: 'incidents', scope: 'incidents:write' },
  { part: 'maintenances', field: 'scheduled_maintenances', scope: 'maintenances:write' },
] as const satisfies { part: keyof ImportedPage; field: string; scope: Scope }[];

/** Returns a page without the parts that a key cannot create; `not_imported` lists them. */
export function withinScopes(page: ImportedPage, scopes: readonly Scope[]): ImportedPage {
  const refused = PARTS.filter(({ part, scope }) => page[part]?.length && !scopes.includes(scope));
  return {
    ...page,
    ...Object.fromEntries(refused.map(({ part }) => [part, []])),
    ...(!scopes.includes('monitor_reports:write') && { starts: [] }),
    not_imported: [
      ...page.not_imported,
      ...refused.map(({ field, scope }) => `${field} (requires the scope ${scope})`),
    ],
  };
}
