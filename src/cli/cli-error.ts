/** A fault of the caller; the message is one line that says what to change. */
export class CliError extends Error {
  override readonly name = 'Fault';
}
