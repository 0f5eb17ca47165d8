import type { RawJson } from './raw-json.js';

/** Sort key of a row in a list. The next page of results starts after the position of the last row. */
export interface Position {
  created_at: Date;
  id: string;
}

/** Page of results to read: at most `limit` rows after `after`; null: the first page. */
export interface Range {
  limit: number;
  after: Position | null;
}

/** Rows of a list as a JSON array. */
export interface Rows<Dto> {
  json: RawJson<Dto[]>;
  isEmpty: boolean;
  /** Position of the last row if more rows follow. */
  next: Position | null;
}
