import type { RawJson } from './raw-json.js';

/** The sort key of a row in a list. The next page starts after the position of the last row. */
export interface Position {
  created_at: Date;
  id: string;
}

/** The page of a list to read: at most `limit` rows after `after`; null: the first page. */
export interface Range {
  limit: number;
  after: Position | null;
}

/** Rows of a list as a JSON array. */
export interface Rows<Dto> {
  json: RawJson<Dto[]>;
  isEmpty: boolean;
  /** The position of the last row, if more rows follow. */
  next: Position | null;
}
