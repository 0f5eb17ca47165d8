/** Where a page of a list ended: the sort key of its last row. */
export interface Position {
  created_at: Date;
  id: string;
}
