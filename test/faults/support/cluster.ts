import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/server.js';
import { type Seed, seedDatabase } from './seed.js';

const PACKAGES = '/usr/lib/postgresql';

/** The directory of the programs of Debian's newest PostgreSQL. */
async function programs(): Promise<string> {
  const found = await readdir(PACKAGES).catch(() => {
    throw new Error("npm run test:faults needs Debian's package postgresql");
  });
  const versions = found.toSorted((one, other) => Number(one) - Number(other));
  return join(PACKAGES, String(versions.at(-1)), 'bin');
}

/** PostgreSQL refuses to run as root. */
const OWNER =
  process.getuid?.() === 0
    ? {
        uid: Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })),
        gid: Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' })),
      }
    : {};

/** A PostgreSQL server of the test, which can be killed, stopped and suspended. */
export class Cluster {
  private process: ChildProcess | undefined;
  private databases = 0;
  seed: Seed = { key: '', project: '' };

  private constructor(
    private readonly bin: string,
    private readonly directory: string,
    readonly port: number,
  ) {}

  /** Creates a cluster without databases, and starts it. */
  static async createEmpty(): Promise<Cluster> {
    const cluster = await Cluster.prepare();
    await cluster.run('initdb', ['-D', cluster.files, '-A', 'trust', '-U', 'postgres', '--no-sync']);
    await cluster.start();
    return cluster;
  }

  private static async prepare(): Promise<Cluster> {
    const directory = await mkdtemp(join(tmpdir(), 'status-pages-cluster-'));
    if (OWNER.uid !== undefined) await chown(directory, OWNER.uid, OWNER.gid);
    return new Cluster(await programs(), directory, await freePort());
  }

  /** Creates a cluster with a migrated database `seeded`, and starts it. */
  static async create(): Promise<Cluster> {
    const cluster = await Cluster.createEmpty();
    await cluster.sql('CREATE DATABASE seeded');
    const env = { DATABASE_URL: cluster.urlOf('seeded'), EMBEDDED: '' };
    cluster.seed = await seedDatabase(env);
    return cluster;
  }

  private async run(program: string, parameters: string[]): Promise<void> {
    await promisify(execFile)(join(this.bin, program), parameters, { ...OWNER, cwd: this.directory });
  }

  /** Creates a standby that follows this cluster, and starts it. Its `application_name` is `standby`. */
  async standby(): Promise<Cluster> {
    const standby = await Cluster.prepare();
    const primary = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    await standby.run('pg_basebackup', ['-d', primary, '-D', standby.files, '-R', '--no-sync', '-c', 'fast']);
    standby.seed = this.seed;
    await standby.start();
    return standby;
  }

  /** Makes PostgreSQL the owner of files of the cluster, unreadable by other users. */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.files, name);
      await writeFile(path, content, { mode: 0o600 });
      if (OWNER.uid !== undefined) await chown(path, OWNER.uid, OWNER.gid);
    }
  }

  /** Changes settings that take effect without a restart. */
  async configure(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(settings))
      await this.sql(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.sql('SELECT pg_reload_conf()');
  }

  /** The data directory. */
  get files(): string {
    return join(this.directory, 'data');
  }

  /** Starts PostgreSQL, and waits until it accepts connections. */
  async start(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', fsync: 'off', max_connections: '150' };
    this.process = spawn(
      join(this.bin, 'postgres'),
      ['-D', this.files, '-p', String(this.port), '-k', this.directory].concat(
        Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ),
      { ...OWNER, cwd: this.directory, stdio: 'ignore' },
    );
    await until(() =>
      this.sql('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Stops PostgreSQL as `pg_ctl -m immediate` does: without a checkpoint, so that the next start recovers. */
  async stopAtOnce(): Promise<void> {
    const { process: running } = this;
    if (!running || running.exitCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGQUIT');
    await exited;
  }

  /** Suspends all PostgreSQL processes. Returns a function that resumes them. */
  async suspend(): Promise<() => void> {
    const pid = Number(this.process?.pid);
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    const pids = [pid, ...children.trim().split(' ').map(Number)];
    const signal = (name: NodeJS.Signals) => {
      for (const one of pids) {
        try {
          process.kill(one, name);
        } catch {
          // The process has exited.
        }
      }
    };
    signal('SIGSTOP');
    return () => signal('SIGCONT');
  }

  /** The process IDs of the connections of servers under test. */
  async backends(): Promise<number[]> {
    const rows = await this.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'status-pages'`,
    );
    return rows.map(({ pid }) => pid);
  }

  /** Copies the database `seeded`; returns the environment of a server that uses the copy. */
  async database(): Promise<{ DATABASE_URL: string; EMBEDDED: string }> {
    const name = `copy_${++this.databases}`;
    await this.sql(`CREATE DATABASE ${name} TEMPLATE seeded`);
    return { DATABASE_URL: this.urlOf(name), EMBEDDED: '' };
  }

  urlOf(database: string): string {
    return `postgres://postgres:sesame-of-the-database@127.0.0.1:${this.port}/${database}`;
  }

  /** The URL of a database through the socket of this cluster. */
  socketUrlOf(database: string): string {
    return `${this.urlOf(database)}?host=${encodeURIComponent(this.directory)}`;
  }

  /** The URL of a database on this cluster or, if it is read-only, on another one. */
  urlWith(other: Cluster, database: string): string {
    const url = new URL(this.urlOf(database));
    url.searchParams.set('target_session_attrs', 'read-write');
    return url.href.replace(url.host, `${url.host},127.0.0.1:${other.port}`);
  }

  /** Runs a statement on a separate connection, outside of the service. */
  async sql<Row extends QueryResultRow>(statement: string, url = this.urlOf('postgres')): Promise<Row[]> {
    const client = await openClient(url);
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async destroy(): Promise<void> {
    await this.stopAtOnce();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A connection outside of the service. */
export async function openClient(url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => undefined); // the next statement fails
  await client.connect();
  return client;
}

/** A cluster for the tests of a file. */
export function useCluster(): { current: Cluster } {
  const holder: { found?: Cluster; readonly current: Cluster } = {
    get current() {
      if (!this.found) throw new Error('the cluster starts before the tests: use it in beforeAll or later');
      return this.found;
    },
  };
  beforeAll(async () => {
    holder.found = await Cluster.create();
  });
  afterAll(() => holder.found?.destroy());
  return holder;
}
