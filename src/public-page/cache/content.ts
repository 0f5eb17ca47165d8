import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { CORS_HEADERS } from '../../platform/server/cors.js';
import type { EncodedDocument } from '../documents/page-document.js';

/** The encodings of a response, best first. `identity` is none. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type ContentEncoding = (typeof ENCODINGS)[number];

/** What CDNs and browsers may do with the documents of public pages (RFC 9111, RFC 5861). */
export const PUBLIC = 'public, max-age=10, s-maxage=10, stale-while-revalidate=60, stale-if-error=86400';

/** The bytes of a document in one encoding, with their headers as a flat list of names and values. */
export interface Representation {
  bytes: Buffer;
  headers: string[];
  /** The headers of 304. */
  not_modified: string[];
}

/** Smaller documents do not gain from compression: they fit into a packet. */
const MIN_COMPRESSED_BYTES = 512;

/** 5 takes 4 ms for a page of 280 kB, 11 takes 600 ms for 15 % less. */
const BROTLI_QUALITY = 5;

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** No other site may frame or embed a page, or sees its URL, which can have the token of a preview. */
const PAGE_HEADERS = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Other sites may read and embed feeds, JSON and badges. */
const SHARED_HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  ...CORS_HEADERS,
};

/**
 * A document as bytes, with its headers and its strong ETag (RFC 9110, section 8.8.3). Compresses it once for each encoding, when
 * the first client accepts that.
 */
export class Content {
  readonly body: Buffer;
  /** The hash of the body. The ETag of a compressed representation also has its encoding. */
  readonly tag: string;
  private readonly representations = new Map<ContentEncoding, Promise<Representation>>();
  private readonly ready = new Map<ContentEncoding, Representation>();

  /** @param extra more headers, or other values */
  constructor(
    readonly document: EncodedDocument,
    private readonly extra: Record<string, string> = {},
  ) {
    this.body = document.body;
    this.tag = document.tag;
    this.ready.set('identity', this.representation('identity', this.body));
  }

  /** The bytes in memory. */
  get size(): number {
    let size = 0;
    for (const { bytes } of this.ready.values()) size += bytes.length;
    return size;
  }

  /** A representation, if it is compressed already. */
  peek(encoding: ContentEncoding): Representation | undefined {
    return this.ready.get(encoding);
  }

  /** A representation. */
  async in(encoding: ContentEncoding): Promise<Representation> {
    const ready = this.ready.get(encoding);
    if (ready) return ready;
    const compressing = this.representations.get(encoding) ?? this.compress(encoding);
    this.representations.set(encoding, compressing);
    return compressing;
  }

  private async compress(encoding: ContentEncoding): Promise<Representation> {
    const bytes = await this.compressed(encoding);
    const found =
      bytes.length < this.body.length
        ? this.representation(encoding, bytes)
        : this.representation('identity', this.body);
    this.ready.set(encoding, found);
    return found;
  }

  private async compressed(encoding: ContentEncoding): Promise<Buffer> {
    if (encoding === 'identity' || this.body.length < MIN_COMPRESSED_BYTES) return this.body;
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    return encoding === 'gzip'
      ? compress.gzip(this.body)
      : compress.br(this.body, {
          params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: this.body.length },
        });
  }

  private representation(encoding: ContentEncoding, bytes: Buffer): Representation {
    const { type, csp } = this.document;
    const isPage = type.startsWith('text/html');
    const shared = {
      ETag: `"${this.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`,
      'Cache-Control': PUBLIC,
      Vary: 'Accept-Encoding',
      ...(!isPage && CORS_HEADERS),
      ...this.extra,
    };
    return {
      bytes,
      headers: Object.entries({
        'Content-Type': type,
        'Content-Length': String(bytes.length),
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        ...(isPage ? PAGE_HEADERS : SHARED_HEADERS),
        ...(csp !== undefined && { 'Content-Security-Policy': csp }),
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        ...shared,
      }).flat(),
      not_modified: Object.entries(shared).flat(),
    };
  }
}
