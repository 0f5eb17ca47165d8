import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { CORS_HEADERS } from '../../platform/server/cors.js';
import type { EncodedDocument } from '../../page-model/page-document.js';

/** Supported content encodings, best first. `identity` means no compression. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type ContentEncoding = (typeof ENCODINGS)[number];

/** Caching policy of public documents for CDNs and browsers (RFC 9111, RFC 5861). */
export const PUBLIC = 'public, max-age=10, s-maxage=10, stale-while-revalidate=60, stale-if-error=86400';

/** Bytes of a document in one content encoding, with their headers as a flat list of names and values. */
export interface Representation {
  bytes: Buffer;
  headers: string[];
  /** Headers of a 304 response. */
  not_modified: string[];
}

/** Minimum size for compression. Smaller documents fit into one packet, so they do not benefit from compression. */
const MIN_COMPRESSED_BYTES = 512;

/** Pictures in these formats are already compressed. */
const COMPRESSED_TYPE = /^image\/(?:png|jpeg|webp)$/;

/** Level 5 takes 4 ms for a page of 280 kB, level 11 takes 600 ms and reduces the size by 15 %. */
const BROTLI_QUALITY = 5;

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** Prevents other sites from embedding the page, and from receiving its URL, which can contain a preview token. */
const PAGE_HEADERS = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

/** Allows other sites to read and embed feeds, JSON, badges, and the document for frames. */
const SHARED_HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  ...CORS_HEADERS,
};

/** Prevents other sites from reading and embedding feeds, JSON and badges of a private page. */
const OWN_HEADERS = {
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * A document as bytes, with its headers and its strong ETag (RFC 9110, section 8.8.3). Compresses it once for each content
 * encoding, when the first client accepts that encoding.
 */
export class Content {
  readonly body: Buffer;
  /** Hash of the body. The ETag of a compressed representation also contains its content encoding. */
  readonly tag: string;
  private readonly representations = new Map<ContentEncoding, Promise<Representation>>();
  private readonly ready = new Map<ContentEncoding, Representation>();

  /**
   * @param extra headers to add or replace
   * @param isShared whether pages of other sites may read and embed feeds, JSON and badges. Not if the client's network or cookie
   * lets it in, which the other site does not have.
   */
  constructor(
    readonly document: EncodedDocument,
    private readonly extra: Record<string, string> = {},
    private readonly isShared = true,
  ) {
    this.body = document.body;
    this.tag = document.tag;
    this.ready.set('identity', this.representation('identity', this.body));
  }

  /** Number of bytes in memory. */
  get size(): number {
    let size = 0;
    for (const { bytes } of this.ready.values()) size += bytes.length;
    return size;
  }

  /** Returns a representation if it is already compressed. */
  peek(encoding: ContentEncoding): Representation | undefined {
    return this.ready.get(encoding);
  }

  /** Returns a representation. */
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
    const isCompressed = COMPRESSED_TYPE.test(this.document.type);
    if (encoding === 'identity' || isCompressed || this.body.length < MIN_COMPRESSED_BYTES) return this.body;
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
    return encoding === 'gzip'
      ? compress.gzip(this.body)
      : compress.br(this.body, {
          params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: this.body.length },
        });
  }

  private representation(encoding: ContentEncoding, bytes: Buffer): Representation {
    const { type, csp, cache_control = PUBLIC } = this.document;
    const isPage = type.startsWith('text/html') && !csp?.endsWith('frame-ancestors *');
    const shared = {
      ETag: `"${this.tag}${encoding === 'identity' ? '' : `-${encoding}`}"`,
      'Cache-Control': cache_control,
      Vary: 'Accept-Encoding',
      ...(!isPage && this.isShared && CORS_HEADERS),
      ...this.extra,
    };
    return {
      bytes,
      headers: Object.entries({
        'Content-Type': type,
        'Content-Length': String(bytes.length),
        ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
        ...(isPage ? PAGE_HEADERS : this.isShared ? SHARED_HEADERS : OWN_HEADERS),
        ...(csp !== undefined && { 'Content-Security-Policy': csp }),
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        ...shared,
      }).flat(),
      not_modified: Object.entries(shared).flat(),
    };
  }
}
