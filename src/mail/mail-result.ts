import type { Outcome, SlowDownOf } from '../deliveries/channel.js';
import { spread } from '../platform/tasks/spread.js';

/**
 * Response of the mail server to a message. `reason` has no address and no text of the server, because that often repeats the
 * address.
 *
 * - `accepted`: the server is responsible for the message now.
 * - `refused`: the server has rejected the message permanently. `bounce`: it is because of the recipient; `final`: the address does not exist.
 * - `deferred`: temporary failure. `slow_down`: the server is the cause, not the message, or it can be.
 */
export type MailResult =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string; bounce: 'final' | 'repeated' | null }
  | { kind: 'deferred'; reason: string; slow_down: SlowDownOf | null };

/**
 * Returns the result of a delivery.
 * @param after_ms time until the next attempt; null: there is none
 */
export function outcomeOf(result: MailResult, after_ms: number | null): Outcome {
  if (result.kind === 'accepted') return { kind: 'delivered' };
  if (result.kind === 'refused' || after_ms === null) return { kind: 'failed', error: result.reason };
  return { kind: 'retry', error: result.reason, after_ms, slow_down: result.slow_down };
}

const MINUTE_MS = 60_000;

/** Minutes until the next attempt. The sum of all is two days. */
const RETRY_MINUTES = [1, 5, 30, 120, 300, 600, 600, 600, 600];

/** Proportion by which the time until the next attempt varies. */
const JITTER = 0.1;

/** Returns the milliseconds until the next attempt, or null after two days. */
export function retryAfter(attempts: number): number | null {
  const minutes = RETRY_MINUTES[attempts - 1];
  if (minutes === undefined) return null;
  return Math.round(spread(minutes * MINUTE_MS, JITTER));
}

/** Enhanced status codes (RFC 3463) of an address that does not exist, or whose domain accepts no mail. */
const NO_SUCH_ADDRESS = new Set(['5.1.1', '5.1.10']);

/** Subjects of enhanced status codes about the recipient: its address and its mailbox. */
const ABOUT_RECIPIENT = /^5\.[12]\./;

/** Subjects of temporary status codes about the server: its system and its network. */
const ABOUT_SERVER = /^4\.[34]\./;

/** Returns what an error of nodemailer means. */
export function resultOfError(error: unknown): MailResult {
  const code = textOf(error, 'code') ?? 'ERROR';
  const command = textOf(error, 'command') ?? '';
  const response = textOf(error, 'response') ?? '';
  const [, status = '', enhanced = ''] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response) ?? [];
  const isToRecipient = command === 'RCPT TO';
  const reason = [command || code, status, enhanced].filter(Boolean).join(' ');
  if (isInMessage(error)) return { kind: 'deferred', reason, slow_down: 'organization' };
  if (code === 'EAUTH' || status === '') return { kind: 'deferred', reason, slow_down: 'channel' };
  // A wrong sequence of commands is an error of the connection, not of the message.
  if (status.startsWith('5') && status !== '503') {
    const isRecipient = isToRecipient || ABOUT_RECIPIENT.test(enhanced);
    if (!isRecipient && command !== 'DATA') return { kind: 'deferred', reason, slow_down: 'channel' };
    const bounce = NO_SUCH_ADDRESS.has(enhanced) ? 'final' : 'repeated';
    return { kind: 'refused', reason, bounce: isRecipient ? bounce : null };
  }
  if (command !== 'DATA' && !isToRecipient) return { kind: 'deferred', reason, slow_down: 'channel' };
  // The recipient's server can be the cause, whose response some servers pass on.
  const isOverloaded = status === '421' || !isToRecipient || ABOUT_SERVER.test(enhanced);
  return { kind: 'deferred', reason, slow_down: isOverloaded ? 'organization' : null };
}

/** Beginnings of nodemailer's errors if an open connection ends or times out. The server may have sent 421 before it. */
const IN_MESSAGE =
  /^(Connection closed unexpectedly|Server closed the connection|Reached maximum number of retries|Timeout)\b/;

const isInMessage = (error: unknown): boolean => error instanceof Error && IN_MESSAGE.test(error.message);

function textOf(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
