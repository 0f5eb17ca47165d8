import { PGlite } from '@electric-sql/pglite';
import type { Settings } from './options.js';

/** Major version of PGlite's PostgreSQL, as in the file PG_VERSION. */
export const POSTGRES_VERSION = '18';

/** Status that PGlite throws for an SQL error, and handles itself (POSTGRES_MAIN_LONGJMP in its source). */
const ERROR_STATUS = 100;
/** ENOSPC in Emscripten. */
const NO_SPACE = 51;

/**
 * PostgreSQL's cache of its files. PGlite's default of 128 MB is filled with zeros on startup, which takes half of its CPU time
 * and 110 MB more memory. The operating system caches the files as well.
 */
const CACHE = ['-c', 'shared_buffers=32MB'];

/** The disk is full. */
export class NoSpaceError extends Error {
  constructor(directoryName: string, cause: unknown) {
    super(`${directoryName}: no space left on the device`, { cause });
  }
}

/**
 * PGlite with its files in a directory.
 *
 * After PANIC, FATAL or a WebAssembly trap, PGlite would call PostgreSQL again in an endless loop that blocks the event loop.
 * The first failure therefore ends the process with the option `onFailure`. PostgreSQL recovers from its log (WAL) on the next start.
 */
export class Engine {
  private constructor(
    private readonly database: PGlite,
    private readonly exitWith: (error: unknown) => never,
  ) {}

  /**
   * Opens the database in `files`, or creates one if the directory is empty.
   * @throws NoSpaceError, or Error with the last PANIC or FATAL message of PostgreSQL
   */
  static async open(files: string, { directoryName, onFailure }: Settings): Promise<Engine> {
    let lastError = '';
    const onStderr = (line: string) => {
      lastError = /(?:PANIC|FATAL):\s+(.*)/.exec(line)?.[1] ?? lastError;
      return false;
    };
    try {
      const database = await PGlite.create({
        dataDir: files,
        onStderr,
        startParams: [...PGlite.defaultStartParams, ...CACHE],
      });
      const engine = new Engine(database, (error) => onFailure(reasonOf(error, lastError, directoryName)));
      engine.exitOnFirstFailure();
      return engine;
    } catch (error) {
      throw reasonOf(error, lastError, directoryName);
    }
  }

  /** Runs protocol messages up to a Sync or Query, and returns PostgreSQL's response. */
  async run(group: Buffer): Promise<Buffer> {
    const response: Buffer[] = [];
    try {
      // execProtocolRaw would leak memory, because it keeps all parsed messages. The bytes belong to PGlite's memory, so copy them.
      await this.database.execProtocolRawStream(group, {
        syncToFs: false, // does nothing on Node.js
        onRawData: (bytes) => response.push(Buffer.from(bytes)),
      });
    } catch (error) {
      this.exitWith(error);
    }
    return Buffer.concat(response);
  }

  /** Runs one statement between groups. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(text, values)).rows;
  }

  /** Runs several statements between groups, in one transaction where possible. */
  async exec(text: string): Promise<void> {
    await this.database.exec(text);
  }

  isInTransaction(): boolean {
    return this.database.isInTransaction();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  private exitOnFirstFailure(): void {
    const { _PostgresMainLoopOnce: runOnce } = this.database.Module;
    const runOnceOrDie = () => {
      try {
        runOnce();
      } catch (error) {
        if (error instanceof Object && 'status' in error && error.status === ERROR_STATUS) throw error;
        this.exitWith(error);
      }
    };
    Object.assign(this.database.Module, { _PostgresMainLoopOnce: runOnceOrDie });
  }
}

/** Returns an error for operators, because PGlite throws `Aborted()` or objects without a message. */
function reasonOf(error: unknown, lastError: string, directoryName: string): Error {
  const isNoSpace = error instanceof Object && 'errno' in error && error.errno === NO_SPACE;
  if (isNoSpace || lastError.includes('No space left on device'))
    return new NoSpaceError(directoryName, error);
  return new Error(lastError || (error instanceof Error ? error.message : 'no reason given'), {
    cause: error,
  });
}
