import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { type Answer, decode, encode } from 'dns-packet';
import { afterAll, beforeAll } from 'vitest';

const NO_SUCH_NAME = 3;
const SERVER_FAILURE = 2;

/** Response for a name: addresses, `CNAME target`, `TXT value`, `hang`, `hang6` (no response for IPv6), or `fail`. */
type Records = string[];

/** A DNS server on UDP. Its responses can change from query to query. */
export class DnsServer {
  private readonly names = new Map<string, Records[]>();
  /** Queries so far, such as `A hooks.example`. */
  readonly queries: string[] = [];
  private socket: Socket | undefined;

  /** For DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket?.address().port}`;
  }

  async start(): Promise<void> {
    const socket = createSocket('udp4');
    this.socket = socket;
    socket.on('message', (message, { port, address }) => {
      const response = this.responseTo(message);
      if (response) socket.send(response, port, address);
    });
    await once(socket.bind(0, '127.0.0.1'), 'listening');
  }

  stop(): void {
    this.socket?.close();
  }

  /**
   * Sets the responses for a name: the first query of each type gets the first ones, and all queries after the last ones get
   * the last ones.
   */
  set(name: string, ...responses: Records[]): void {
    this.names.set(name, responses);
  }

  private responseTo(message: Buffer): Buffer | undefined {
    const { id, questions = [] } = decode(message);
    const [{ name, type } = { name: '', type: 'A' as const }] = questions;
    const query = `${type} ${name}`;
    const before = this.queries.filter((one) => one === query).length;
    this.queries.push(query);
    const responses = this.names.get(name);
    const records = responses?.[Math.min(before, responses.length - 1)];
    if (records?.includes('hang') || (type === 'AAAA' && records?.includes('hang6'))) return undefined;
    const code = records ? (records.includes('fail') ? SERVER_FAILURE : 0) : NO_SUCH_NAME;
    const answers = records && code === 0 ? this.answersOf(name, type, records) : [];
    // The flags are the response code: dns-packet has no field for it.
    return encode({ type: 'response', id, flags: code, questions, answers });
  }

  private answersOf(name: string, type: string, records: Records): Answer[] {
    return records.flatMap((record): Answer[] => {
      const target = /^CNAME (.+)$/.exec(record)?.[1];
      if (target !== undefined) {
        const next = this.names.get(target)?.at(-1) ?? [];
        return [{ type: 'CNAME', name, data: target, ttl: 0 }, ...this.answersOf(target, type, next)];
      }
      const value = /^TXT (.*)$/s.exec(record)?.[1];
      if (value !== undefined)
        return type === 'TXT' ? [{ type, name, data: value.match(/.{1,255}/gs) ?? [''], ttl: 0 }] : [];
      const own = isIPv6(record) ? 'AAAA' : 'A';
      return type === own && record !== 'hang6' ? [{ type: own, name, data: record, ttl: 0 }] : [];
    });
  }
}

/** A DNS server for the tests of a file. */
export function useDnsServer(): DnsServer {
  const server = new DnsServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}
