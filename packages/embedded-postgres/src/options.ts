/** Options of the embedded PostgreSQL. */
export interface EmbeddedPostgresOptions {
  /**
   * `application_name` of the application's own connections. They must not change the session, for example with settings or temporary
   * tables. The session is reset for all other connections, which costs time. Also the prefix of directories in the temporary
   * directory, so all processes on a data directory must use the same value. Default: `embedded-postgres`.
   */
  applicationName?: string;
  /** Name of the data directory in messages, for example the variable that sets it. Default: `dataDir`. */
  directoryName?: string;
  /**
   * Must end the process after PostgreSQL has failed, because PostgreSQL cannot run again in this process, and its connections get no
   * response. By default, prints the reason to standard error and exits with code 1.
   */
  onFailure?: (reason: Error) => never;
}

/** Options with their defaults. */
export class Settings {
  readonly applicationName: string;
  readonly directoryName: string;
  readonly onFailure: (reason: Error) => never;

  constructor(options: EmbeddedPostgresOptions) {
    this.applicationName = options.applicationName ?? 'embedded-postgres';
    this.directoryName = options.directoryName ?? 'dataDir';
    this.onFailure = options.onFailure ?? exitWithReason;
  }
}

function exitWithReason({ message }: Error): never {
  process.stderr.write(`The embedded PostgreSQL failed: ${message}\n`);
  process.exit(1);
}
