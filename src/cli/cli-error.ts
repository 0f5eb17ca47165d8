/** An error that the user of the CLI can fix. The message is one line that contains the necessary change. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
