import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { DomainMap } from '../../domains/domain-map.js';
import type { Env } from '../../platform/config/env.js';
import { problemBody, unavailable } from '../../platform/problems/problem.js';
import { PROBLEMS } from '../../platform/problems/catalogue.js';
import { MAX_HEAD_BYTES, WRITE_TIMEOUT_MS } from '../../platform/server/connections.js';
import { CORS_HEADERS } from '../../platform/server/cors.js';
import type { AnyRequest } from '../../platform/server/request-end.js';
import type { RequestLog } from '../../platform/server/request-log.js';
import { monthOf } from '../../page-model/months.js';
import { SCRIPT_PATH } from '../../page-model/links.js';
import { SCRIPT, UNAVAILABLE } from './contents.js';
import { type Copy, isGood, requestedKey, visitedKey } from './copy.js';
import { findDomainIn, locateDomain } from './locate-domain.js';
import { Redirects } from './redirects.js';
import type { SavedCopies } from './saved-copies.js';
import { sendContent } from './send-content.js';

const LIVE_PATH = '/health/live';

/**
 * Serves the saved copies of public pages, and 503 for all other requests, while the server cannot start because the database
 * is unavailable.
 */
export class StandbyServer {
  private readonly server: Server;
  private readonly redirects: Redirects;
  private readonly findDomain: ReturnType<typeof findDomainIn>;
  private readonly copies = new Map<string, Promise<Copy | undefined>>();

  constructor(
    private readonly saved: SavedCopies,
    private readonly logger: Logger,
    private readonly log: RequestLog,
    private readonly env: Env,
    domains: Pick<DomainMap, 'get'> = new DomainMap(),
  ) {
    this.redirects = new Redirects(env);
    this.findDomain = findDomainIn(domains, env);
    const options = { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: MAX_HEAD_BYTES };
    this.server = createServer(options, (request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        this.logger.error({ err: error }, 'could not serve a saved copy of a public page');
        response.destroy();
      });
    });
    this.server.setTimeout(WRITE_TIMEOUT_MS);
  }

  /** @returns the port. @throws Error if the address is in use */
  async listen(port: number, host: string): Promise<number> {
    await once(this.server.listen(port, host), 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Finishes the in-flight requests, and frees the port. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeIdleConnections();
    const timer = setTimeout(() => this.server.closeAllConnections(), 1_000);
    await closed;
    clearTimeout(timer);
  }

  private async respond(request: AnyRequest, response: ServerResponse): Promise<void> {
    const id = randomUUID();
    locateDomain(request, this.findDomain);
    this.log.watch(Object.assign(request, { id }), response);
    const { url = '' } = request;
    const [path = ''] = url.split('?');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === LIVE_PATH) return sendJson(response, 200, { data: { status: 'ok' } }, id);
    if (isRead && path === SCRIPT_PATH) return sendContent(request, response, 200, SCRIPT, id);
    if (this.redirects.respond(request, response, id)) return;
    const key = isRead ? visitedKey(path, this.env.HOME_PAGE, request.domain?.domain) : undefined;
    if (key === undefined) return sendProblem(response, id);
    const copy = await this.find(key, url);
    const [status, content] = copy ? [200, copy.content] : [503, UNAVAILABLE];
    await sendContent(request, response, status, content, id);
  }

  private async find(visited: string, url: string): Promise<Copy | undefined> {
    const query = new URLSearchParams(url.split('?')[1]);
    if (query.has('preview')) return undefined;
    const isHistory = visited.endsWith('/history');
    const month = isHistory ? `?month=${query.get('month') ?? monthOf(new Date())}` : '';
    const key = requestedKey(visited + month, url);
    if (!this.saved.has(key)) return undefined;
    const found = this.copies.get(key) ?? this.saved.find(key);
    this.copies.set(key, found);
    const copy = await found;
    return copy && isGood(copy) ? copy : undefined;
  }
}

/** Sends 503 `unavailable` (RFC 9457) in the format of the API. */
function sendProblem(response: ServerResponse, id: string): void {
  const problem = unavailable();
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json; charset=utf-8');
  sendJson(response, PROBLEMS[problem.code].status, problemBody(problem, id), id);
}

function sendJson(response: ServerResponse, status: number, body: object, id: string): void {
  const text = JSON.stringify(body);
  if (!response.hasHeader('Content-Type'))
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
  for (const [name, value] of Object.entries(CORS_HEADERS)) response.setHeader(name, value);
  response.writeHead(status, {
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
  });
  response.end(response.req.method === 'HEAD' ? undefined : text);
}
