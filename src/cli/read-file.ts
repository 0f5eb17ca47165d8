import { createReadStream } from 'node:fs';
import { MAX_FILE_BYTES } from '../platform/validation/body.js';
import { Problem } from '../platform/problems/problem.js';
import { CliError } from './cli-error.js';

/**
 * Reads a file of at most 5 MiB.
 * @param parse the same parser as for request bodies
 * @throws CliError if the file is unreadable, too large, or not parsable
 */
export async function readFile(path: string, parse: (bytes: Uint8Array) => object): Promise<object> {
  const bytes = await readBytes(path, MAX_FILE_BYTES);
  try {
    return parse(bytes);
  } catch (error) {
    throw error instanceof Problem ? new CliError(`${path}: ${error.detail}`) : error;
  }
}

async function readBytes(path: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    // Reads one byte more than allowed, because a pipe or a device reports no size.
    for await (const chunk of createReadStream(path, { end: bytes })) chunks.push(Buffer.from(chunk));
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new CliError(`${path} cannot be read: ${error.code}`);
    throw error;
  }
  const content = Buffer.concat(chunks);
  if (content.length > bytes) throw new CliError(`${path} is too large: the maximum is ${bytes} bytes`);
  return content;
}
