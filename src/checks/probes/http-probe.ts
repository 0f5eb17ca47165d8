import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { readVersion } from '../../platform/config/project-files.js';
import { loadUndici } from '../../platform/network/load-undici.js';
import { InformationalError } from '../../platform/network/send-error.js';
import { Connections, since } from './connections.js';
import { type Findings, includesStatus, type ProbeTarget, UnexpectedError } from './target.js';

/** Redirects that a check follows, as browsers do (20) or fewer. */
const MAX_REDIRECTS = 10;

/** Bytes of a body in which `body_contains` is searched. The rest is not read. */
const MAX_BODY = 1024 * 1024;

/** Bytes of a connection: a head and the searched part of the body have less, unless the target floods. */
const MAX_BYTES = 2 * MAX_BODY;
const COUNT_MS = 100;

/** Responses of 1xx before the final one. */
const MAX_INFORMATIONAL = 10;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request of a check. */
type Request = Pick<ProbeTarget, 'method' | 'headers' | 'body'> & { url: URL };

/** Sends HTTP requests of checks. Environment variables such as HTTPS_PROXY have no effect on it. */
@Injectable()
export class HttpProbe {
  private readonly userAgent = `status-pages/${readVersion()}`;

  constructor(private readonly connections: Connections) {}

  /** @throws UnexpectedError; Error for `textOfError`; the reason of `signal` */
  async run(target: ProbeTarget, signal: AbortSignal, findings: Findings): Promise<void> {
    let request: Request | undefined = { ...target, url: new URL(target.target) };
    for (let sent = 0; request; sent++) {
      if (sent > MAX_REDIRECTS) throw new UnexpectedError('too many redirects');
      request = await this.send(request, target, signal, findings);
    }
  }

  /** Sends a request, and checks its response. Returns the request of a redirect. */
  private async send(
    request: Request,
    target: ProbeTarget,
    signal: AbortSignal,
    findings: Findings,
  ): Promise<Request | undefined> {
    const { url, method, headers, body } = request;
    const isTls = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const destination = { host, port: Number(url.port) || (isTls ? 443 : 80) };
    const socket = isTls
      ? await this.connections.openTls(destination, signal, findings)
      : await this.connections.open(destination, signal, findings);
    if (socket.errored) throw socket.errored;
    const flood = new AbortController();
    const counting = setInterval(() => {
      if (socket.bytesRead > MAX_BYTES) flood.abort(new UnexpectedError('the response is too long'));
    }, COUNT_MS);
    let informational = 0;
    // One connection, whose phases have been measured.
    const client = new (loadUndici().Client)(url.origin, {
      // undici does not support a synchronous call.
      connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    try {
      const startedAt = performance.now();
      const response = await client.request({
        method,
        path: url.pathname + url.search,
        headers: { 'user-agent': this.userAgent, accept: '*/*', 'accept-encoding': 'identity', ...headers },
        body: body === '' ? null : body,
        signal: AbortSignal.any([signal, flood.signal]),
        onInfo: () => {
          informational += 1;
          if (informational > MAX_INFORMATIONAL) flood.abort(new InformationalError());
        },
      });
      response.body.on('error', () => undefined);
      findings.first_byte_ms = since(startedAt);
      findings.status_code = response.statusCode;
      const { location } = response.headers;
      if (target.follow_redirects && REDIRECTS.has(response.statusCode) && typeof location === 'string')
        return redirected(request, response.statusCode, location);
      if (!includesStatus(target.expected_status, response.statusCode))
        throw new UnexpectedError(`status ${response.statusCode}`);
      if (target.body_contains !== null)
        await searchIn(response.body, response.headers['content-encoding'], target.body_contains);
      return undefined;
    } catch (error) {
      throw flood.signal.aborted ? flood.signal.reason : error;
    } finally {
      clearInterval(counting);
      socket.destroy();
      void client.destroy().catch(() => undefined);
    }
  }
}

/** Returns the request that follows a redirect (Fetch Standard, HTTP-redirect fetch). Another origin gets neither headers nor body. */
function redirected(request: Request, status: number, location: string): Request {
  const url = URL.canParse(location, request.url) ? new URL(location, request.url) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new UnexpectedError('redirect to an invalid URL');
  const { method } = request;
  const becomesGet = status === 303 ? method !== 'HEAD' : status <= 302 && method === 'POST';
  const isTrusted = url.origin === request.url.origin || isUpgrade(request.url, url);
  return {
    url,
    method: becomesGet ? 'GET' : method,
    headers: isTrusted ? request.headers : {},
    body: isTrusted && !becomesGet ? request.body : '',
  };
}

/** Whether a redirect leads from `http:` to `https:` of the same host, both with their default ports. */
function isUpgrade(from: URL, to: URL): boolean {
  return (
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    !from.port &&
    !to.port
  );
}

/** @throws UnexpectedError if a body does not contain the text within {@link MAX_BODY} */
async function searchIn(body: Readable, encoding: unknown, text: string): Promise<void> {
  if (encoding !== undefined && encoding !== 'identity')
    throw new UnexpectedError('the response is compressed');
  const searched = Buffer.from(text);
  let end = Buffer.alloc(0); // the text can be in two chunks
  let length = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) continue;
    const found = Buffer.concat([end, chunk]);
    if (found.includes(searched)) return;
    end = found.subarray(-searched.length);
    length += chunk.length;
    if (length >= MAX_BODY) break;
  }
  throw new UnexpectedError('the response does not contain the text');
}
