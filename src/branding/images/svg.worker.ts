import { parentPort } from 'node:worker_threads';
import { Problem } from '../../platform/problems/problem.js';
import { checkSvg } from './svg.js';
import type { SvgSize } from './svg-size.js';

// Runs in a worker thread, see `SvgThreads`. Does not load Nest modules or database code.

/** Result as plain data, because messages between threads lose classes: the size, or the reason of a 400 `invalid_image`. */
export type SvgOutcome = { size: SvgSize } | { detail: string };

parentPort?.on('message', (bytes: Uint8Array) => parentPort?.postMessage(outcomeOf(bytes), []));

function outcomeOf(bytes: Uint8Array): SvgOutcome {
  try {
    return { size: checkSvg(bytes) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { detail: error.detail };
  }
}
