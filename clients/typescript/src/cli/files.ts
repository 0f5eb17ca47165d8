import { readFileSync } from 'node:fs';
import { usageError } from './errors.js';

/**
 * Reads a file that the command line names.
 * @throws CommandError if it cannot be read
 */
export function readInput(name: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`The file ${name} cannot be read: ${reason}`);
  }
}
