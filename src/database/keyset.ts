import type { RawJson } from './raw-json.js';

/** The sort key of a row of a list: a page ends at one, and the next starts after it. */
export interface Position {
  created_at: Date;
  id: string;
}

/** Which part of a list is read: at most `limit` rows after `after`; null: from the newest. */
export interface Range {
  limit: number;
  after: Position | null;
}

/** Rows of a list as a JSON array. */
export interface Rows<Shown> {
  json: RawJson<Shown[]>;
  isEmpty: boolean;
  /** The position of the last row, if more rows follow. */
  next: Position | null;
}
