import { CsvError, parse } from 'csv-parse/sync';

/** A row with at least one cell that is not empty. */
export interface CsvRow {
  /** Line in which the row begins. A quoted cell can continue it on the next lines. */
  line: number;
  /** Without surrounding white space. */
  cells: string[];
}

/** A file that is not CSV. The message continues a sentence about the line. */
export class InvalidCsv extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** Delimiters that spreadsheets write, depending on their language. The first one wins a tie. */
const DELIMITERS = [',', ';', '\t'];

/** First line by which spreadsheets declare the delimiter: `sep=;`. */
const DECLARATION = /^"?sep=([^"\n])"?[\t ]*(?:\n|$)/i;

const OPTIONS = {
  trim: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  relax_column_count: true,
};

/**
 * Reads a CSV file (RFC 4180), as spreadsheets and other services export it: in UTF-8, or UTF-16 with a byte order mark,
 * delimited by commas, semicolons or tabs. A first line such as `sep=;` declares the delimiter. Otherwise, the delimiter is the
 * one that divides the first row into a header with the most cells.
 *
 *     readCsv(bytes, (cells) => cells.includes('email')); // [{ line: 1, cells: ['email', 'name'] }, …]
 *
 * @param isHeader returns whether the cells of the first row can be the names of its columns
 * @throws InvalidCsv
 */
export function readCsv(bytes: Uint8Array, isHeader: (cells: string[]) => boolean): CsvRow[] {
  const text = decode(bytes).replaceAll(/\r\n?/g, '\n');
  const [declaration, declared] = DECLARATION.exec(text) ?? [];
  const from_line = declaration === undefined ? 1 : 2;
  const rows: CsvRow[] = [];
  let lastLine = from_line - 1;
  try {
    parse(text, {
      ...OPTIONS,
      from_line,
      delimiter: declared ?? delimiterOf(text, isHeader),
      on_record: (record: string[], { lines }) => {
        lastLine = lines;
        const breaks = record.reduce((count, cell) => count + (cell.split('\n').length - 1), 0);
        rows.push({ line: lines - breaks, cells: trimmed(record) });
        return null;
      },
    });
    return rows;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new InvalidCsv(lineAfter(text, lastLine), 'begins a row with a quote that is not closed');
    throw new InvalidCsv(Number(error['lines'] ?? 1), 'is invalid CSV');
  }
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  try {
    return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidCsv(1, 'is not UTF-8');
  }
}

function delimiterOf(text: string, isHeader: (cells: string[]) => boolean): string {
  const scores = DELIMITERS.map((delimiter) => {
    try {
      const [header = []] = parse(text, { ...OPTIONS, delimiter, to: 1 });
      return isHeader(trimmed(header)) ? header.length : 0;
    } catch {
      return 0; // another delimiter follows a closing quote
    }
  });
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ',';
}

const trimmed = (cells: string[]) => cells.map((cell) => cell.trim());

/** Returns the number of the first line after `line` that is not empty. */
function lineAfter(text: string, line: number): number {
  const lines = text.split('\n');
  const index = lines.findIndex((one, at) => at >= line && one.trim() !== '');
  return index < 0 ? line : index + 1;
}
