import type { ProjectRef } from '../projects/project-ref.js';

/** A status page and its organization. */
export interface PageRef {
  organization_id: string;
  status_page_id: string;
}

/** A status page, its project and its organization. */
export type ProjectPageRef = PageRef & ProjectRef;

/** SQL of a condition with the parameters of `parametersOf`: the row belongs to the page. */
export const OF_PAGE = 'organization_id = $1 AND status_page_id = $2';

/** Returns the parameters $1 and $2 of a query: organization and page. */
export function parametersOf({ organization_id, status_page_id }: PageRef): unknown[] {
  return [organization_id, status_page_id];
}
