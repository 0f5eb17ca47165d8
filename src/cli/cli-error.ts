/** An error that the caller of the CLI can fix. The message is one line and says what to change. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
