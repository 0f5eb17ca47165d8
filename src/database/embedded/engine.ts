import { PGlite } from '@electric-sql/pglite';

/** PGlite throws this status for an ERROR, and handles it itself (POSTGRES_MAIN_LONGJMP in its source). */
const ERROR_STATUS = 100;
/** ENOSPC as Emscripten numbers it. */
const NO_SPACE = 51;

/** The disk is full. */
export class NoSpaceError extends Error {
  constructor(cause: unknown) {
    super('DATA_DIR: no space left on the device', { cause });
  }
}

/**
 * PGlite on a folder of files.
 *
 * PANIC, FATAL, a WebAssembly trap: PGlite catches them all and calls PostgreSQL again, without end and without yielding to
 * the event loop. So the first of them ends the process, with the reason on standard error and exit code 1. PostgreSQL
 * does the same, and recovers from its log (WAL) at the next start.
 */
export class Engine {
  private constructor(
    private readonly database: PGlite,
    private readonly die: (error: unknown) => never,
  ) {}

  /**
   * Opens the database in `files`, or makes one if the folder is empty.
   * @throws NoSpaceError, or Error with what PostgreSQL said last
   */
  static async open(files: string): Promise<Engine> {
    let lastWords = '';
    const onStderr = (line: string) => {
      lastWords = /(?:PANIC|FATAL):\s+(.*)/.exec(line)?.[1] ?? lastWords;
      return false;
    };
    try {
      const database = await PGlite.create({ dataDir: files, onStderr });
      const engine = new Engine(database, (error) => {
        process.stderr.write(
          `Status Pages stopped: the embedded PostgreSQL failed: ${reasonOf(error, lastWords).message}\n`,
        );
        process.exit(1);
      });
      engine.endAtFirstFailure();
      return engine;
    } catch (error) {
      throw reasonOf(error, lastWords);
    }
  }

  /** Runs protocol messages up to a Sync or Query, and returns PostgreSQL's answer. */
  async run(group: Buffer): Promise<Buffer> {
    const answer: Buffer[] = [];
    try {
      // Not execProtocolRaw: it keeps all that it has ever read, parsed, in memory. The bytes are PGlite's own memory: copy.
      await this.database.execProtocolRawStream(group, {
        syncToFs: false, // does nothing on Node.js
        onRawData: (bytes) => answer.push(Buffer.from(bytes)),
      });
    } catch (error) {
      this.die(error);
    }
    return Buffer.concat(answer);
  }

  /** Runs one statement between groups. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(text, values)).rows;
  }

  /** Runs several statements between groups, as one transaction unless one of them must not be in one. */
  async exec(text: string): Promise<void> {
    await this.database.exec(text);
  }

  isInTransaction(): boolean {
    return this.database.isInTransaction();
  }

  async close(): Promise<void> {
    await this.database.close();
  }

  private endAtFirstFailure(): void {
    const { _PostgresMainLoopOnce: runOnce } = this.database.Module;
    const runOnceOrDie = () => {
      try {
        runOnce();
      } catch (error) {
        if (error instanceof Object && 'status' in error && error.status === ERROR_STATUS) throw error;
        this.die(error);
      }
    };
    Object.assign(this.database.Module, { _PostgresMainLoopOnce: runOnceOrDie });
  }
}

/** What an operator should read: PGlite itself throws `Aborted()`, or objects without a message. */
function reasonOf(error: unknown, lastWords: string): Error {
  const isNoSpace = error instanceof Object && 'errno' in error && error.errno === NO_SPACE;
  if (isNoSpace || lastWords.includes('No space left on device')) return new NoSpaceError(error);
  return new Error(lastWords || (error instanceof Error ? error.message : 'no reason given'), {
    cause: error,
  });
}
