import { until } from '../support/server.js';
import { type Received, Receiver, type Respond } from './http-receiver.js';

/** A body in the format `standard`. */
export interface StandardBody {
  type: string;
  timestamp: string;
  data: { id: string } & Record<string, unknown>;
  event: { id: string; resource_id: string; data: Record<string, unknown> };
}

/** A receiver of events. The path of its URL selects the endpoint in tests. */
export class EventReceiver {
  private constructor(private readonly server: Receiver) {}

  static succeed: Respond = (response) => response.writeHead(204).end();

  static async start(): Promise<EventReceiver> {
    const receiver = new EventReceiver(await Receiver.start());
    receiver.respond = EventReceiver.succeed;
    return receiver;
  }

  set respond(respond: Respond) {
    this.server.respond = respond;
  }

  get received(): Received[] {
    return this.server.requests;
  }

  /** Returns the URL of a path. */
  url(path: string): string {
    return this.server.url(undefined, path);
  }

  /** Returns the requests to a path so far. */
  at(path: string): Received[] {
    return this.received.filter((request) => request.path === path);
  }

  /** Waits for a number of requests to a path, and returns their bodies. */
  async bodies(path: string, count: number): Promise<StandardBody[]> {
    await until(async () => this.at(path).length >= count);
    return this.at(path).map(({ body }): StandardBody => JSON.parse(body));
  }

  /** Returns the types of the events that a path has got, in the order of their times. */
  types(path: string): string[] {
    const bodies = this.at(path).map(({ body }): StandardBody => JSON.parse(body));
    return bodies.toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1)).map(({ type }) => type);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
