import { Agent, request } from 'node:http';
import { onceAnswered, textOf } from '../support/http-agent.js';
import { bodyOf, type Draft, pathOf } from './drafts.js';

export interface Sent {
  method: string;
  /** The path with the query, as sent. */
  target: string;
  headers: string[];
  body: string | Uint8Array | undefined;
}

export interface Received {
  status: number;
  headers: Headers;
  text: string;
  /** Header names and values, and the body. */
  everything: string;
  /** CPU time of this process during the request, including concurrent requests. */
  processorMs: number;
}

/** Sends requests unchanged on one connection, one after the other, without correcting a path or a header. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly url: string) {}

  /** @throws if there is no response within 30 s */
  async send({ method, target, headers, body }: Sent): Promise<Received> {
    const started = process.cpuUsage();
    const { hostname, port } = new URL(this.url);
    const hasHost = headers.some((name, at) => at % 2 === 0 && name === 'Host');
    const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
    const asked = request({
      agent: this.agent,
      hostname,
      port,
      method,
      path: target,
      setHost: false,
      headers: [...(hasHost ? [] : ['Host', `${hostname}:${port}`]), ...length, ...headers],
      signal: AbortSignal.timeout(30_000),
    });
    const answered = onceAnswered(asked);
    asked.end(body);
    const [answer] = await answered;
    const text = await textOf(answer);
    const { rawHeaders, statusCode = 0 } = answer;
    const received = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2)
      received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    const { user, system } = process.cpuUsage(started);
    const processorMs = (user + system) / 1_000;
    return {
      status: statusCode,
      headers: received,
      text,
      everything: `${rawHeaders.join('\n')}\n${text}`,
      processorMs,
    };
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The bytes of a draft. Header values are in Latin-1, as in HTTP. */
export function toSent(draft: Draft): Sent {
  const headers = draft.headers.flatMap(([name, value]) => [
    name,
    value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''),
  ]);
  const body = bodyOf(draft);
  return { method: draft.method, target: pathOf(draft), headers, body };
}

/** A curl command, truncated and without the key. */
export function described({ method, target, headers, body }: Sent): string {
  const shown = headers
    .flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []))
    .map((line) => line.replaceAll(/sp_\w{5}\w+/g, 'sp_…').slice(0, 120));
  const text = body === undefined ? '' : Buffer.from(body).toString('utf8');
  return `${method} ${target.slice(0, 300)} {${shown.join('; ')}} ${text.slice(0, 600)}${text.length > 600 ? `… (${text.length})` : ''}`;
}
