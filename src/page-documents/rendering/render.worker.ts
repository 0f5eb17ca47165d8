import { parentPort } from 'node:worker_threads';
import { servedLinks } from '../../page-model/links.js';
import { encode, type EncodedDocument } from '../../page-model/page-document.js';
import { type PartData, renderPart } from './render-part.js';

// Runs in a worker thread, see `RenderThreads`. Does not load Nest modules or database code.

/** A part to render, with the arguments of {@link servedLinks}. */
export interface RenderTask {
  part: PartData;
  links: Parameters<typeof servedLinks>;
}

/** The rendered document. Messages between threads convert a Buffer to a Uint8Array. */
export type RenderOutcome = Omit<EncodedDocument, 'body'> & { body: Uint8Array<ArrayBuffer> };

parentPort?.on('message', (task: RenderTask) => void respond(task)); // an error ends the thread

async function respond({ part, links }: RenderTask): Promise<void> {
  const document = encode(await renderPart(part, servedLinks(...links)));
  const body = new Uint8Array(document.body); // a Buffer can share memory with others
  parentPort?.postMessage({ ...document, body } satisfies RenderOutcome, [body.buffer]);
}
