/** What an application sets of its embedded PostgreSQL. */
export interface EmbeddedPostgresOptions {
  /**
   * The `application_name` of the application's own connections, which must leave the session as they find it: no settings, temporary
   * tables or the like. Those of all others are reset, at a cost for each. Also the first part of folder names in the temporary
   * directory, so that all processes on a data directory must have the same one. By default `embedded-postgres`.
   */
  applicationName?: string;
  /** How messages name the data directory, such as the variable that sets it. By default `dataDir`. */
  directoryName?: string;
  /**
   * Ends the process after PostgreSQL has failed: it cannot run again in this process, and its connections get no response. By default,
   * prints the reason on standard error, and exits with code 1.
   */
  onFailure?: (reason: Error) => never;
}

/** The options with their defaults. */
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
