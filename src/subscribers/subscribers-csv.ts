import { CsvError, parse } from 'csv-parse/sync';
import { emailKey, isEmailAddress } from './email-address.js';

/** A subscriber in a file. */
export interface CsvSubscriber {
  email: string;
  /** Names of components; empty: all. */
  components: string[];
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
  /** Rows whose address is in an earlier row. */
  repeated: number;
  faults: CsvFault[];
}

const EMAIL = /^(e-?mail( address)?|subscriber|endpoint)$/i;
const TYPE = /^(type|mode|subscriber type)$/i;
const COMPONENTS = /^(components?|component names?)$/i;
const QUARANTINED = /^quarantined([_ ]at)?$/i;

/**
 * Reads a CSV file of subscribers. The header names the columns in any order; other columns are ignored. Only rows of the type
 * `email` are read, or all rows if there is no such column.
 */
export function readSubscribersCsv(bytes: Uint8Array): CsvContents {
  const contents: CsvContents = { subscribers: [], other_types: 0, quarantined: 0, repeated: 0, faults: [] };
  const [header, ...rows] = readRows(bytes, contents);
  if (!header) return contents;
  const at = (pattern: RegExp) => header.record.findIndex((name) => pattern.test(name));
  const [email, type, components, quarantined] = [at(EMAIL), at(TYPE), at(COMPONENTS), at(QUARANTINED)];
  if (email < 0) {
    contents.faults.push({ line: header.line, detail: 'the header has no column "email"' });
    return contents;
  }
  const seen = new Set<string>();
  for (const { record, line } of rows) {
    const address = record[email] ?? '';
    if (type >= 0 && record[type]?.toLowerCase() !== 'email') contents.other_types++;
    else if (quarantined >= 0 && record[quarantined]) contents.quarantined++;
    else if (!isEmailAddress(address)) contents.faults.push({ line, detail: 'is not an email address' });
    else if (seen.has(emailKey(address))) contents.repeated++;
    else {
      seen.add(emailKey(address));
      const names = (record[components] ?? '').split(/[,;]/).map((name) => name.trim());
      contents.subscribers.push({ email: address, line, components: names.filter((name) => name !== '') });
    }
  }
  return contents;
}

interface Row {
  record: string[];
  line: number;
}

function readRows(bytes: Uint8Array, { faults }: CsvContents): Row[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const rows: Row[] = [];
    parse(text, {
      on_record: (record: string[], { lines }) => {
        rows.push({ record, line: lines });
        return null;
      },
      trim: true,
      skip_empty_lines: true,
      relax_column_count: true,
    });
    return rows;
  } catch (error) {
    if (error instanceof CsvError)
      faults.push({ line: Number(error['lines'] ?? 1), detail: 'is invalid CSV' });
    else if (error instanceof TypeError) faults.push({ line: 1, detail: 'is not UTF-8' });
    else throw error;
    return [];
  }
}
