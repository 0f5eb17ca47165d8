import { createReadStream } from 'node:fs';
import { Problem } from '../http/problems.js';
import { parseYaml } from '../imports/yaml.js';
import { Fault } from './fault.js';

const MAX_BYTES = 5 * 1024 * 1024;

/**
 * Reads a JSON object (RFC 8259, in UTF-8) of at most 5 MiB.
 * @throws Fault saying what the file is not
 */
export async function readJsonFile(path: string): Promise<object> {
  const bytes = await readAtMost(path, MAX_BYTES);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Fault(`${path} is not valid ${error instanceof SyntaxError ? 'JSON' : 'UTF-8'}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Fault(`${path} is not a JSON object`);
  }
  return value;
}

/**
 * Reads a YAML mapping (see {@link parseYaml}) of at most 5 MiB.
 * @throws Fault saying what the file is not, and where
 */
export async function readYamlFile(path: string): Promise<object> {
  const bytes = await readAtMost(path, MAX_BYTES);
  try {
    return parseYaml(bytes);
  } catch (error) {
    if (error instanceof Problem) throw new Fault(`${path} is not a YAML mapping: ${error.detail}`);
    throw error;
  }
}

async function readAtMost(path: string, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    // One byte more than allowed, whatever the file says of its size: it may be a pipe or a device.
    for await (const chunk of createReadStream(path, { end: bytes })) chunks.push(Buffer.from(chunk));
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw new Fault(`${path} cannot be read: ${error.code}`);
    throw error;
  }
  const content = Buffer.concat(chunks);
  if (content.length > bytes) throw new Fault(`${path} is too large: at most ${bytes} bytes are read`);
  return content;
}
