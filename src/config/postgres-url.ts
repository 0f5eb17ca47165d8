import { Client } from 'pg';

const POSTGRES_URL = 'must be a URL that starts with postgres:// or postgresql:// and names one host';

/** Checks a URL with the parser of `pg`. Returns the error, or undefined. */
export function checkPostgresUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !/^postgres(ql)?:\/\//.test(url)) return POSTGRES_URL;
  try {
    decodeURIComponent(url); // as TypeORM does
    return new Client(url).host.includes(',') ? POSTGRES_URL : undefined; // does not connect
  } catch (error) {
    // The parser reads the files of sslcert, sslkey and sslrootcert.
    const isUnreadable = error instanceof Error && 'syscall' in error && 'code' in error;
    return isUnreadable ? `names a file that cannot be read (${String(error.code)})` : POSTGRES_URL;
  }
}
