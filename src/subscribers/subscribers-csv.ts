import { type CsvRow, InvalidCsv, readCsv } from '../platform/csv/read-csv.js';
import { type ActivityColumn, activityColumn, isActive } from './activity-columns.js';
import { emailKey, isEmailAddress } from './email-address.js';

/** A subscriber in a file. */
export interface CsvSubscriber {
  email: string;
  /** Names of components, separated by commas or semicolons, which the names can also contain; empty: all. */
  components: string;
  line: number;
}

/** An invalid line of a file. The detail contains no address. */
export interface CsvFault {
  line: number;
  detail: string;
}

/** The contents of a file, and how many of its rows are not imported. */
export interface CsvContents {
  subscribers: CsvSubscriber[];
  /** Rows of other types, such as SMS and webhooks. */
  other_types: number;
  /** Addresses to which the other service does not send mail any more. */
  quarantined: number;
  /** Rows that are not active in the other service for another reason, such as unsubscribed and unconfirmed ones. */
  not_active: number;
  /** Rows whose address is in an earlier row. */
  repeated: number;
  /** Names of the columns that are not read. */
  ignored_columns: string[];
  faults: CsvFault[];
}

const EMAIL = /^(e-?mail( address)?|subscriber|endpoint)$/i;
const TYPE = /^(type|mode|subscriber type)$/i;
const COMPONENTS = /^(components?|component names?)$/i;
const QUARANTINED = /^quarantined([_ ]at)?$/i;

/**
 * Reads a CSV file of subscribers. The header names the columns in any order. Only rows of the type `email` are read, or all rows
 * if there is no such column. Rows that a column describes as not active are left out.
 */
export function readSubscribersCsv(bytes: Uint8Array): CsvContents {
  const contents: CsvContents = {
    subscribers: [],
    other_types: 0,
    quarantined: 0,
    not_active: 0,
    repeated: 0,
    ignored_columns: [],
    faults: [],
  };
  try {
    const [header, ...rows] = readCsv(bytes, (cells) => cells.some((name) => EMAIL.test(name)));
    if (header) readRows(header, rows, contents);
    else contents.faults.push({ line: 1, detail: 'is empty; expected a header with the column "email"' });
  } catch (error) {
    if (!(error instanceof InvalidCsv)) throw error;
    contents.faults.push({ line: error.line, detail: error.message });
  }
  return contents;
}

function readRows(header: CsvRow, rows: CsvRow[], contents: CsvContents): void {
  const at = (pattern: RegExp) => header.cells.findIndex((name) => pattern.test(name));
  const [email, type, components, quarantined] = [at(EMAIL), at(TYPE), at(COMPONENTS), at(QUARANTINED)];
  if (email < 0) {
    contents.faults.push({ line: header.line, detail: 'the header has no column "email"' });
    return;
  }
  const activity: ActivityColumn[] = [];
  for (const [index, name] of header.cells.entries()) {
    if ([email, type, components, quarantined].includes(index)) continue;
    const meaning = activityColumn(name);
    if (meaning) activity.push({ index, meaning });
    else contents.ignored_columns.push(name === '' ? `column ${index + 1}` : name);
  }
  const seen = new Set<string>();
  for (const { cells, line } of rows) {
    const address = cells[email] ?? '';
    if (type >= 0 && cells[type]?.toLowerCase() !== 'email') contents.other_types++;
    else if (quarantined >= 0 && !isActive(cells, [{ index: quarantined, meaning: 'excluding' }]))
      contents.quarantined++;
    else if (!isActive(cells, activity)) contents.not_active++;
    else if (!isEmailAddress(address)) contents.faults.push({ line, detail: 'is not an email address' });
    else if (seen.has(emailKey(address))) contents.repeated++;
    else {
      seen.add(emailKey(address));
      contents.subscribers.push({ email: address, line, components: cells[components] ?? '' });
    }
  }
}
