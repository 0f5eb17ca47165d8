import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { encode } from '../../page-model/page-document.js';
import type { Part } from '../../page-model/parts.js';
import { Content } from './content.js';
import { type Copy, isGood } from './copy.js';

const FORMAT = 1;

/** Maximum length of the first line of a file. */
const MAX_HEAD_BYTES = 8 * 1024;

/** First line of a file with a copy, as JSON. The body follows. */
interface Head {
  format: number;
  /** Database that the copy comes from. */
  origin: string;
  slug: string;
  part: Part;
  host?: string | undefined;
  domain?: string | undefined;
  page_id: string;
  version: string;
  until: number;
  rendered_at: number;
  type: string;
  csp?: string | undefined;
  cache_control?: string | undefined;
  /** Hash of the body. */
  tag: string;
}

/** Returns the file name of a copy. */
export function fileNameOf(origin: string, key: string): string {
  return `${createHash('sha256').update(`${origin} ${key}`).digest('hex').slice(0, 40)}.page`;
}

/** Returns the content of a file. */
export function toFile(origin: string, copy: Copy): Buffer {
  const { content, slug, part, host, domain, page_id, version, until, rendered_at } = copy;
  const { type, csp, cache_control } = content.document;
  const head: Head = {
    format: FORMAT,
    origin,
    slug,
    part,
    host,
    domain,
    page_id,
    version,
    until,
    rendered_at,
    type,
    csp,
    cache_control,
    tag: content.tag,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), content.body]);
}

/** Reads the header of a file, and its size. */
export async function readHead(path: string): Promise<{ head: Head | undefined; size: number }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD_BYTES), 0, MAX_HEAD_BYTES, 0);
    return { head: parseHead(buffer.subarray(0, bytesRead)), size };
  } finally {
    await file.close();
  }
}

/** Parses the file header. Returns undefined if the format version differs or the copy has expired. */
function parseHead(start: Buffer): Head | undefined {
  const end = start.indexOf('\n');
  if (end < 0) return undefined;
  try {
    const head: Head = JSON.parse(start.toString('utf8', 0, end));
    return head.format === FORMAT && isGood(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the copy in a file, or undefined if it is damaged. */
export function parseFile(file: Buffer): Copy | undefined {
  const head = parseHead(file);
  if (!head) return undefined;
  const { slug, part, host, domain, page_id, version, until, rendered_at, tag } = head;
  const { type, csp, cache_control } = head;
  const body = file.subarray(file.indexOf('\n') + 1);
  const options = {
    ...(csp !== undefined && { csp }),
    ...(cache_control !== undefined && { cache_control }),
  };
  const content = new Content(encode({ type, body, ...options }));
  if (content.tag !== tag) return undefined;
  const address = { slug, part, host, domain };
  return { content, ...address, page_id, version, until, rendered_at, read_at: 0, used_at: 0 };
}
