import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onceAnswered } from '../http-agent.js';
import { until } from '../server.js';
import { accepts, freePort } from '../free-port.js';

/** The name of the service in the configurations of `deploy/`. */
export const NAME = 'status.example.com';

/** The files and ports of a test's own proxy. */
interface Place {
  directory: string;
  certificate: string;
  key: string;
  http: number;
  https: number;
  /** Admin port of the service. */
  admin: number;
  /** Domains of status pages with a certificate. */
  domains: Domain[];
}

/** A domain with its certificate, as files. */
interface Domain {
  name: string;
  certificate: string;
  key: string;
}

/** A proxy with a configuration in `deploy/`. */
interface Kind {
  /** Its name, and the name of its program. */
  name: 'nginx' | 'caddy';
  configuration: string;
  /** Fills in ports and paths. Returns the parameters that start it. Writes further files to the directory. */
  prepare(text: string, place: Place): Promise<string[]>;
}

export const NGINX: Kind = {
  name: 'nginx',
  configuration: 'deploy/nginx/status-pages.conf',
  prepare: async (text, { directory, certificate, key, http, https, domains }) => {
    const own = replaceEach(text, [
      ['listen 443 ', `listen 127.0.0.1:${https} `],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['/etc/ssl/status.example.com/fullchain.pem', certificate],
      ['/etc/ssl/status.example.com/privkey.pem', key],
      ['/var/log/nginx', directory],
      ['/var/cache/nginx', directory],
      ['/var/www/acme', directory],
      ['/etc/nginx/status-pages.d', join(directory, 'domains')],
    ]);
    await writeDomains(domains, { directory, https });
    await writeFile(join(directory, 'status-pages.conf'), own);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const main = `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1;
      pid ${directory}/pid; error_log ${directory}/error.log; events {}
      http { ${temporary.join(' ')} access_log off; include ${directory}/status-pages.conf; }`;
    await writeFile(join(directory, 'nginx.conf'), main);
    return ['-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')];
  },
};

const CADDY: Kind = {
  name: 'caddy',
  configuration: 'deploy/caddy/Caddyfile',
  prepare: async (text, { directory, certificate, key, http, https, admin }) => {
    const settings = `admin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1`;
    // An authority of Caddy's own instead of a public one.
    const issuer = 'local_certs\n\tskip_install_trust';
    const own = replaceEach(text, [
      [`\n${NAME} {`, `\n${NAME} {\n\ttls ${certificate} ${key}`],
      ['on_demand_tls {', `${settings}\n\t${issuer}\n\ton_demand_tls {`],
      ['127.0.0.1:9464', `127.0.0.1:${admin}`],
    ]);
    await writeFile(join(directory, 'Caddyfile'), own);
    return ['run', '--config', join(directory, 'Caddyfile')];
  },
};

/** Writes `deploy/nginx/customer-domain.conf` for each domain. */
async function writeDomains(
  domains: Domain[],
  { directory, https }: Pick<Place, 'directory' | 'https'>,
): Promise<void> {
  await mkdir(join(directory, 'domains'));
  const text = await readFile('deploy/nginx/customer-domain.conf', 'utf8');
  for (const { name, certificate, key } of domains) {
    const own = replaceEach(text, [
      ['listen 443 ', `listen 127.0.0.1:${https} `],
      ['/etc/letsencrypt/live/status.acme.example/fullchain.pem', certificate],
      ['/etc/letsencrypt/live/status.acme.example/privkey.pem', key],
      ['/var/log/nginx', directory],
      ['status.acme.example', name],
    ]);
    await writeFile(join(directory, 'domains', `${name}.conf`), own);
  }
}

/** Creates a certificate. */
function certify(directory: string, name: string): Domain {
  const [certificate, key] = [join(directory, `${name}.pem`), join(directory, `${name}.key.pem`)];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate];
  const subject = ['-subj', `/CN=${name.slice(0, 64)}`, '-addext', `subjectAltName=DNS:${name}`];
  execFileSync('openssl', ['req', '-x509', ...made, ...subject], { stdio: 'ignore' });
  return { name, certificate, key };
}

/** Replaces each text, which must be present. */
function replaceEach(text: string, replacements: [string, string][]): string {
  return replacements.reduce((all, [from, to]) => {
    if (!all.includes(from)) throw new Error(`the configuration has no ${from}`);
    return all.replaceAll(from, to);
  }, text);
}

/** The proxies with a configuration in `deploy/`. Tests also use their names as requirements. */
export const PROXIES = [NGINX, CADDY];

/** The servers in the configurations of `deploy/`. */
const SERVERS = ['127.0.0.1:3000', '127.0.0.1:3001'];

/** A response as received. */
export interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  /** The names of all headers in lower case, with repetitions. */
  names: string[];
  bytes: Buffer;
}

interface Ask {
  method?: string;
  key?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The address from which the client connects, in 127.0.0.0/8. */
  from?: string;
  /** The name of the server. */
  name?: string;
}

/**
 * nginx or Caddy as a separate process, with its configuration in `deploy/`, and TLS with a certificate of the test.
 */
export class FrontProxy {
  private readonly agents = new Map<string, Agent>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly place: Place,
    /** The certificate of the authority. */
    readonly certificate: Buffer,
  ) {}

  /**
   * @param ports of one or two processes of the service
   * @param domains the domains with a certificate (nginx)
   * @param admin the admin port of the service, from which Caddy learns the domains
   */
  static async start(
    kind: Kind,
    ports: number[],
    { domains = [], admin = 9464 }: { domains?: string[]; admin?: number } = {},
  ): Promise<FrontProxy> {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-proxy-'));
    await mkdir(join(directory, 'home'));
    const { certificate, key } = certify(directory, NAME);
    const place: Place = {
      directory,
      certificate,
      key,
      http: await freePort(),
      https: await freePort(),
      admin,
      domains: domains.map((name) => certify(directory, name)),
    };
    const text = await readFile(kind.configuration, 'utf8');
    const servers = SERVERS.map((server, index): [string, string] => [
      server,
      `127.0.0.1:${ports[index] ?? ports[0]}`,
    ]);
    const parameters = await kind.prepare(replaceEach(text, servers), place);
    const home = join(directory, 'home');
    const env = { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
    const child = spawn(kind.name, parameters, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (data: string) => (errors += data));
    const proxy = new FrontProxy(child, place, await readFile(certificate));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${kind.name} has ended: ${errors}`);
      return (await accepts(place.https)) && accepts(place.http);
    });
    return proxy;
  }

  get port(): number {
    return this.place.https;
  }

  get httpPort(): number {
    return this.place.http;
  }

  /** Sends a GET without TLS. */
  async askWithoutTls(path: string, name = NAME): Promise<IncomingMessage> {
    const { http: port } = this.place;
    const [answer] = await onceAnswered(get({ host: '127.0.0.1', port, path, headers: { Host: name } }));
    answer.resume();
    return answer;
  }

  /** Returns the certificates that a client trusts. */
  private async authoritiesOf(name: string): Promise<Buffer[]> {
    const { directory, domains } = this.place;
    const own = domains.find((domain) => domain.name === name);
    const root = join(directory, 'home/caddy/pki/authorities/local/root.crt');
    const found = [own && readFile(own.certificate), readFile(root).catch(() => undefined)];
    return [this.certificate, ...(await Promise.all(found)).filter((one) => one !== undefined)];
  }

  /** Everything in its cache. Only nginx has one. */
  async stored(): Promise<string> {
    const files = await readdir(join(this.place.directory, 'status-pages'), {
      recursive: true,
      withFileTypes: true,
    });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
    return (await Promise.all(texts)).join('\n');
  }

  /** Its access log. Only nginx writes one. */
  async log(): Promise<string> {
    return readFile(join(this.place.directory, 'status-pages.log'), 'utf8');
  }

  /** Sends a request by HTTP/1.1 over TLS, without `Accept-Encoding` unless it is among the headers. */
  async ask(
    path: string,
    { method = 'GET', key, headers = {}, body, from = '127.0.0.1', name = NAME }: Ask = {},
  ): Promise<Answer> {
    const asked = request({
      host: '127.0.0.1',
      port: this.port,
      localAddress: from,
      servername: name,
      ca: await this.authoritiesOf(name),
      agent: this.agentOf(from),
      method,
      path,
      headers: { Host: name, ...(key && { Authorization: `Bearer ${key}` }), ...headers },
    });
    asked.end(body);
    const [answer] = await onceAnswered(asked);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(Buffer.from(chunk));
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      names: answer.rawHeaders
        .filter((_header, index) => index % 2 === 0)
        .map((header) => header.toLowerCase()),
      bytes: Buffer.concat(chunks),
    };
  }

  async stop(): Promise<void> {
    for (const agent of this.agents.values()) agent.destroy();
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    await rm(this.place.directory, { recursive: true, force: true });
  }

  private agentOf(from: string): Agent {
    const agent = this.agents.get(from) ?? new Agent({ keepAlive: true });
    this.agents.set(from, agent);
    return agent;
  }
}
