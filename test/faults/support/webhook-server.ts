import { afterEach } from 'vitest';
import { Certificates } from '../../support/certificates.js';
import { freePort } from '../../support/free-port.js';
import { LedgerProcess } from './ledger-process.js';

/** Behavior of an endpoint. `large`, `slow`, `old` and `early body` accept them. */
export type EndpointFault = 'large' | 'slow' | 'old' | 'early-body' | 'hang' | 'early' | 'slow-head' | '500';

/** A request. */
export interface WebhookRequest {
  endpoint: string;
  /** `webhook-id` */
  id: string;
  type: string;
  is_accepted: boolean;
}

/** Host name of the certificates. */
const HOST = 'localhost';

/** Webhook endpoints with `http:` and `https:`. */
export class WebhookServer extends LedgerProcess<WebhookRequest> {
  private constructor(
    directory: string,
    port: number,
    private readonly tlsPort: number,
    private readonly closedPort: number,
    private readonly certificates: Certificates,
  ) {
    super('webhook-server.mjs', directory, port);
  }

  static async start(): Promise<WebhookServer> {
    const certificates = await Certificates.create();
    await certificates.authority('ca');
    await certificates.issue('ca', 'valid', HOST);
    await certificates.issueExpired('ca', 'expired');
    const directory = await LedgerProcess.directory('webhooks');
    const server = new WebhookServer(
      directory,
      await freePort(),
      await freePort(),
      await freePort(),
      certificates,
    );
    await server.restart();
    return server;
  }

  /** The variables of a service that can send to this server. */
  get env(): Record<string, string> {
    return {
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
      NODE_EXTRA_CA_CERTS: this.certificates.path('ca.crt'),
      DELIVERY: 'on',
      NOTIFY_DELAY: '0',
    };
  }

  /** Starts it. Its certificate has expired, and nothing listens on the port of {@link closedUrl}. */
  async restart(): Promise<void> {
    await this.launch(...this.tls('expired'));
  }

  /** Kills it and starts it again without faults, with a valid certificate, and with the closed port. */
  async repair(): Promise<void> {
    await this.kill();
    await this.launch(...this.tls('valid'), String(this.closedPort));
  }

  private tls(certificate: string): string[] {
    const files = [`${certificate}.crt`, `${certificate}.key`];
    return [String(this.tlsPort), ...files.map((file) => this.certificates.path(file))];
  }

  url(endpoint: string): string {
    return `http://127.0.0.1:${this.port}/${endpoint}`;
  }

  tlsUrl(endpoint: string): string {
    return `https://${HOST}:${this.tlsPort}/${endpoint}`;
  }

  closedUrl(endpoint: string): string {
    return `http://127.0.0.1:${this.closedPort}/${endpoint}`;
  }

  /** Replaces the faults. */
  async obey(faults: Record<string, EndpointFault>): Promise<void> {
    await this.ask({ faults });
  }

  /** All requests in their order. */
  async requests(): Promise<WebhookRequest[]> {
    return this.lines();
  }

  /** The accepted requests in their order. */
  async receipts(): Promise<WebhookRequest[]> {
    return (await this.lines()).filter(({ is_accepted }) => is_accepted);
  }

  /** Waits until it has accepted `count` requests in total. */
  async accepts(count: number): Promise<void> {
    await this.waitFor(async () => (await this.receipts()).length >= count, `${count} requests`);
  }

  override async destroy(): Promise<void> {
    await super.destroy();
    await this.certificates.destroy();
  }
}

/** Starts webhook endpoints, which end with the test. */
export function useWebhookServers(): { start: () => Promise<WebhookServer> } {
  const started: WebhookServer[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.destroy()));
  });
  return {
    start: async () => {
      const server = await WebhookServer.start();
      started.push(server);
      return server;
    },
  };
}
