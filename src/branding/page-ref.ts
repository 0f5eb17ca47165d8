/** A page and its organization. */
export interface PageRef {
  organization_id: string;
  status_page_id: string;
}

/** Returns the parameters $1 and $2 of a query: organization and page. */
export function parametersOf({ organization_id, status_page_id }: PageRef): unknown[] {
  return [organization_id, status_page_id];
}
