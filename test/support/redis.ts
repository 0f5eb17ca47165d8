import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accepts, freePort } from './free-port.js';
import { until } from './server.js';

/** A test's own Redis, without persistence, on a free port that it keeps over restarts. */
export class Redis {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    private readonly settings: string[],
  ) {}

  static async start(settings: string[] = []): Promise<Redis> {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-redis-'));
    const redis = new Redis(directory, await freePort(), settings);
    await redis.start();
    return redis;
  }

  /** A Redis that requires TLS, with a certificate for localhost in the file `certificate`. */
  static async startWithTls(): Promise<Redis & { certificate: string }> {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-redis-'));
    const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
    await chmod(directory, 0o755);
    await chmod(key, 0o644);
    const port = await freePort();
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    const tls = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files];
    const redis = new Redis(directory, port, [...tls, '--port', '0']);
    await redis.start();
    return Object.assign(redis, { certificate });
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const own = ['--save', '', '--bind', '127.0.0.1', '--dir', this.directory];
    this.child = spawn('redis-server', ['--port', String(this.port), ...own, ...this.settings], {
      stdio: 'ignore',
    });
    await until(async () => accepts(this.port));
  }

  /** Kills it without notifying any client. */
  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Suspends it. Connections stay open, but get no response. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  /** The number of its other clients. */
  async clients(): Promise<number> {
    const socket = connect(this.port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (data: string) => (text += data));
    socket.write('INFO clients\r\n');
    const [, count] = await until(async () => /connected_clients:(\d+)\r\n/.exec(text) ?? undefined);
    socket.destroy();
    return Number(count) - 1;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}
