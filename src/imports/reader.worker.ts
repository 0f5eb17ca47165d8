import { parentPort } from 'node:worker_threads';
import { type ProblemCode } from '../platform/problems/catalogue.js';
import { type FieldError, Problem } from '../platform/problems/problem.js';
import type { ImportedPage } from './imported-page.js';
import { type ImportFormat, readFile } from './read.js';

// Runs in a worker thread, see `ReaderThreads`. Does not load Nest modules or database code.

/** A file to read. */
export interface ReadTask {
  format: ImportFormat;
  bytes: Uint8Array;
}

/** Result as plain data, because messages between threads lose classes. */
export type Outcome =
  { page: ImportedPage } | { problem: { code: ProblemCode; detail: string; errors?: FieldError[] } };

parentPort?.on('message', (task: ReadTask) => parentPort?.postMessage(outcomeOf(task), []));

function outcomeOf({ format, bytes }: ReadTask): Outcome {
  try {
    return { page: readFile(format, bytes) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { code, detail, errors } = error;
    return { problem: { code, detail, ...(errors && { errors }) } };
  }
}
