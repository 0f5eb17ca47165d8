import type { Command } from 'commander';
import type { Session } from './session.js';

/** Output of a command: `json` with --json, `text` otherwise. */
export interface Result {
  json: unknown;
  text: string;
  /** Printed to standard error. */
  note?: string;
  exitCode?: number;
}

/** Runs a command with the API, and prints its result. Reads the global options from `command`. */
export type Run = (command: Command, work: (session: Session) => Promise<Result>) => Promise<void>;

/** Output of a call: `process`, or streams of a test. */
export interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}
