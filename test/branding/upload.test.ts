import { deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { PICTURES } from './pictures.js';
import { useBranding } from './use-branding.js';

const server = useTestServer({ RATE_LIMIT: '0' });
const tenant = useTenant(server);
const { get, put, remove } = useBranding(server, tenant);

const PNG = PICTURES['image/png'];
const JPEG = PICTURES['image/jpeg'];
const WEBP = PICTURES['image/webp'];
const KINDS = [
  ['logo', 'logo'],
  ['logo-dark', 'logo_dark'],
  ['favicon', 'favicon'],
] as const;

/** A PNG of this size that contains only its header and compressed zeros. */
function hugePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    PNG.subarray(0, 8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.of()),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

describe('PUT /v1/status-pages/{id}/branding/{picture}', () => {
  it.each(KINDS)('stores and describes the %s', async (name, field) => {
    const { id } = await server.page(tenant);
    const { body: before } = await get(id);
    const { status, body, headers } = await put(id, name, PNG);
    const image = body.data[field];
    expect([status, image]).toEqual([
      200,
      { url: image?.url, content_type: 'image/png', width: 64, height: 32, size: PNG.length },
    ]);
    expect(body.data).toEqual({ ...before.data, [field]: image, updated_at: body.data.updated_at });
    expect(body.data.updated_at > before.data.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await get(id)).body).toEqual(body);
  });

  it('recognizes the format by the content, with any Content-Type', async () => {
    const { id } = await server.page(tenant);
    for (const [type, bytes] of Object.entries(PICTURES))
      for (const header of ['image/png', 'application/json', 'text/html', 'nonsense']) {
        const { status, body } = await put(id, 'logo', bytes, { 'Content-Type': header });
        expect([type, header, status, body.data.logo?.content_type]).toEqual([type, header, 200, type]);
      }
  });

  it('changes nothing if the page already has the picture', async () => {
    const { id } = await server.page(tenant);
    const { body } = await put(id, 'logo', PNG);
    expect((await put(id, 'logo', PNG)).body).toEqual(body);
  });

  it('stores one of two concurrent pictures, and changes the version twice', async () => {
    const { id } = await server.page(tenant);
    const answers = await Promise.all([put(id, 'logo', PNG), put(id, 'logo', WEBP)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const versions = answers.map(({ body }) => body.data.updated_at).toSorted();
    const { body } = await get(id);
    expect(new Set(versions).size).toBe(2);
    expect(body.data.updated_at).toBe(versions[1]);
    expect(answers.map((answer) => answer.body.data.logo)).toContainEqual(body.data.logo);
  });

  it('returns 412 and changes nothing if the version has changed', async () => {
    const { id } = await server.page(tenant);
    const { headers } = await get(id);
    const stale = { 'If-Match': headers.get('etag') ?? '' };
    const { body } = await put(id, 'logo', PNG, stale);
    expectProblem(await put(id, 'logo', WEBP, stale), 412, 'precondition_failed');
    expectProblem(await remove(id, 'logo', stale), 412, 'precondition_failed');
    expect((await get(id)).body).toEqual(body);
  });

  it.each([
    ['no body', undefined],
    ['one byte', Buffer.from('\x89')],
    ['text', Buffer.from('logo')],
    ['JSON', Buffer.from('{"logo":null}')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['HTML without a doctype', Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>')],
    ['GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
    ['a compressed SVG', gzipSync(PICTURES['image/svg+xml'])],
    ['a RIFF file that is not WebP', Buffer.from('RIFF\x10\x00\x00\x00WAVEfmt ', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['zeros', Buffer.alloc(1_000)],
  ])('rejects %s with 415 and names the formats', async (_name, bytes) => {
    const { id } = await server.page(tenant);
    const answer = await put(id, 'logo', bytes);
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.detail).toMatch(/PNG, JPEG, WebP or SVG|expected a picture/);
    expect((await get(id)).body.data.logo).toBeNull();
  });

  it('rejects a body with a content encoding', async () => {
    const { id } = await server.page(tenant);
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'image/svg+xml' };
    const answer = await put(id, 'logo', gzipSync(PICTURES['image/svg+xml']), headers);
    expectProblem(answer, 415, 'unsupported_media_type');
    expect(answer.body.detail).toContain('without Content-Encoding');
  });

  it('rejects a picture of more than 512 KiB, and an SVG of more than 100 KiB, with 413', async () => {
    const { id } = await server.page(tenant);
    const padded = (bytes: Buffer, size: number) =>
      Buffer.concat([bytes, Buffer.alloc(size - bytes.length, ' ')]);
    for (const [bytes, max] of [
      [JPEG, 512 * 1024],
      [PICTURES['image/svg+xml'], 100 * 1024],
    ] as const) {
      expect((await put(id, 'logo', padded(bytes, max))).status).toBe(200);
      expectProblem(await put(id, 'logo', padded(bytes, max + 1)), 413, 'payload_too_large');
    }
  });

  it.each([
    ['PNG', PNG],
    ['JPEG', JPEG],
    ['WebP', WEBP],
  ])('rejects a %s that ends early', async (_name, bytes) => {
    const { id } = await server.page(tenant);
    for (const length of [12, Math.floor(bytes.length / 2), bytes.length - 20]) {
      const { status, body } = await put(id, 'logo', bytes.subarray(0, length));
      expect([length, status, body.code]).toEqual([length, 400, 'invalid_image']);
    }
  });

  it('rejects too many pixels by the header, before decoding', async () => {
    const { id } = await server.page(tenant);
    for (const [width, height] of [
      [4_097, 10],
      [10, 4_097],
      [4_096, 1_025],
      [50_000, 50_000],
      [0x7fffffff, 0x7fffffff],
    ] as const) {
      const started = performance.now();
      const { status, body } = await put(id, 'logo', hugePng(width, height));
      expect([width, height, status, body.code]).toEqual([width, height, 400, 'invalid_image']);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
    const largest = sharp({ create: { width: 4_096, height: 1_024, channels: 3, background: 'red' } });
    expect((await put(id, 'logo', await largest.png().toBuffer())).body.data.logo).toMatchObject({
      width: 4_096,
      height: 1_024,
    });
  });

  it('rejects a JPEG with thousands of scans, which would take seconds to decode', async () => {
    const { id } = await server.page(tenant);
    const bytes = await sharp({ create: { width: 4_096, height: 1_024, channels: 3, background: 'red' } })
      .jpeg({ progressive: true })
      .toBuffer();
    const starts = [...bytes.toString('latin1').matchAll(/\xff\xda/g)].map(({ index }) => index);
    // The third scan contains all coefficients of one color. With full precision, it can be repeated.
    const scan = bytes.subarray(starts[2], starts[3]);
    const end = 2 + scan.readUInt16BE(2);
    scan[end - 1] = 0;
    const length = scan.indexOf(Buffer.of(0xff), end);
    const scans = Array.from({ length: 20_000 }, () => scan.subarray(0, length < 0 ? scan.length : length));
    const bomb = Buffer.concat([bytes.subarray(0, starts[2]), ...scans, Buffer.of(0xff, 0xd9)]);
    const started = performance.now();
    const answer = await put(id, 'logo', bomb);
    expectProblem(answer, 400, 'invalid_image');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('rejects animations', async () => {
    const { id } = await server.page(tenant);
    const frames = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 4, background } })
          .png()
          .toBuffer(),
      ),
    );
    const webp = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer();
    const acTL = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex');
    const apng = Buffer.concat([PNG.subarray(0, 33), acTL, PNG.subarray(33)]);
    for (const bytes of [webp, apng]) {
      const { status, body } = await put(id, 'logo', bytes);
      expect([status, body.code, body.detail]).toEqual([
        400,
        'invalid_image',
        'The picture must not be animated',
      ]);
    }
  });

  it('rejects pictures with the place where they were taken, and keeps other metadata', async () => {
    const { id } = await server.page(tenant);
    const exif = { IFD0: { Copyright: 'Acme' } };
    const place = { ...exif, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } };
    const create = { width: 8, height: 8, channels: 3 as const, background: 'red' };
    for (const format of ['jpeg', 'webp', 'png'] as const) {
      const encoded = (values: typeof exif) => sharp({ create }).withExif(values).toFormat(format).toBuffer();
      const kept = await put(id, 'logo', await encoded(exif));
      expect([format, kept.status]).toEqual([format, 200]);
      const { status, body } = await put(id, 'logo', await encoded(place));
      expect([format, status, body.code]).toEqual([format, 400, 'invalid_image']);
      expect(body.detail).toContain('GPS');
    }
  });

  it('describes a turned picture as browsers show it', async () => {
    const { id } = await server.page(tenant);
    const turned = await sharp(JPEG).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect((await put(id, 'logo', turned)).body.data.logo).toMatchObject({ width: 32, height: 64 });
  });

  it('stores a picture with other content after its end unchanged, as a picture', async () => {
    const { id } = await server.page(tenant);
    const polyglot = Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
    const { body } = await put(id, 'logo', polyglot);
    const response = await fetch(server.url + new URL(body.data.logo?.url ?? '').pathname);
    expect(Buffer.from(await response.arrayBuffer()).equals(polyglot)).toBe(true);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('decodes concurrent uploads without delaying other requests', async () => {
    const page = await server.page(tenant);
    const large = await sharp({ create: { width: 2_048, height: 2_048, channels: 4, background: 'red' } })
      .webp({ lossless: true })
      .toBuffer();
    const uploads = Array.from({ length: 12 }, () => put(page.id, 'logo', large));
    const delays: number[] = [];
    const uploading = new AbortController();
    const settled = Promise.all(uploads).then((answers) => {
      uploading.abort();
      return answers;
    });
    while (!uploading.signal.aborted) {
      const started = performance.now();
      await server.ask('/health/live');
      delays.push(performance.now() - started);
    }
    expect((await settled).map(({ status }) => status)).toEqual(uploads.map(() => 200));
    expect(Math.max(...delays)).toBeLessThan(1_000);
  });
});

describe('DELETE /v1/status-pages/{id}/branding/{picture}', () => {
  it.each(KINDS)('deletes only the %s', async (name, field) => {
    const { id } = await server.page(tenant);
    for (const [other] of KINDS) await put(id, other, PNG);
    const { body: before } = await get(id);
    expect((await remove(id, name)).status).toBe(204);
    const { body } = await get(id);
    expect(body.data).toEqual({ ...before.data, [field]: null, updated_at: body.data.updated_at });
    expect(body.data.updated_at > before.data.updated_at).toBe(true);
  });

  it('returns 404 if the page has no such picture', async () => {
    const { id } = await server.page(tenant);
    const answer = await remove(id, 'favicon');
    expectProblem(answer, 404, 'not_found');
    expect(answer.body.detail).toBe('Favicon not found');
  });
});
