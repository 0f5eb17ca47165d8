import { cli, type Database, dropDatabase, withClient } from './databases.js';
import { fillGrown, GROWN_PROJECT, type Size } from './growth-fill.js';
import { median } from './measure.js';
import { print } from './print.js';
import { Server, SERVICE, serviceEnv } from './processes.js';
import { generator } from './workloads.js';
import { SCOPES } from '../src/platform/auth/scopes.js';
import { encodeCursor } from '../src/platform/pagination/cursor.js';

const ROUNDS = 15;
const REQUESTS = 40;
/**
 * The number of status pages that requests use. The first round, which does not count, reads most of them into
 * memory.
 */
const PICKED = 100;
const FEW: Size = { pages: 10_000, keys: 1_000 };

interface Place {
  id: string;
  created_at: Date;
}

/** A service on one of the databases, and the resources of its requests. */
interface Contender {
  size: Size;
  url: string;
  server: Server;
  key: string;
  pages: string[];
  cursors: Record<'pages' | 'keys', Record<'middle' | 'last', string>>;
}

type Send = (contender: Contender, random: () => number) => [method: string, path: string, body?: object];

const LIST = `/v1/status-pages?project_id=${GROWN_PROJECT}`;

const pick = ({ pages }: Contender, random: () => number) => pages[Math.floor(random() * pages.length)] ?? '';

const LOADS: Record<string, Send> = {
  'list of pages, first': () => ['GET', LIST],
  'list of pages, middle': ({ cursors }) => ['GET', `${LIST}&cursor=${cursors.pages.middle}`],
  'list of pages, last': ({ cursors }) => ['GET', `${LIST}&cursor=${cursors.pages.last}`],
  'GET one page': (contender, random) => ['GET', `/v1/status-pages/${pick(contender, random)}`],
  'PATCH name': (contender, random) => [
    'PATCH',
    `/v1/status-pages/${pick(contender, random)}`,
    { name: `Page ${random()}` },
  ],
  'list of keys, first': () => ['GET', '/v1/api-keys'],
  'list of keys, middle': ({ cursors }) => ['GET', `/v1/api-keys?cursor=${cursors.keys.middle}`],
  'list of keys, last': ({ cursors }) => ['GET', `/v1/api-keys?cursor=${cursors.keys.last}`],
};

/** The results of a round for one load: milliseconds of a request, and blocks and milliseconds of its statements. */
interface Sample {
  request: number;
  blocks: number;
  /** The blocks that PostgreSQL had not cached. */
  reads: number;
  statements: number;
}

/**
 * Compares a large database with one of 10,000 status pages, in interleaved rounds of single requests. The server of
 * `url` needs pg_stat_statements, which counts the blocks. Returns the results as Markdown.
 */
export async function measureGrowth(url: string, size: Size): Promise<string> {
  const contenders = [await start(url, FEW), await start(url, size)];
  try {
    const random = generator(20_261_122);
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, send] of Object.entries(LOADS)) {
        for (const contender of contenders) {
          const sample = await measure(contender, send, random);
          const key = `${contender.size.pages} ${name}`;
          if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample]);
        }
      }
      print(`round ${round} of ${ROUNDS} …`);
    }
    return toMarkdown(samples, size);
  } finally {
    for (const { server } of contenders) await server.stop();
  }
}

async function start(url: string, size: Size): Promise<Contender> {
  const { url: own, key, organization_id } = await prepare(url, size);
  return withClient(own, async (client) => {
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    const places = async (table: string, where: string, count: number) => {
      const at = async (offset: number): Promise<Place> => {
        const { rows } = await client.query<Place>(
          `SELECT id, created_at FROM ${table} WHERE organization_id = $1 ${where}
            ORDER BY organization_id DESC, created_at DESC, id DESC OFFSET $2 LIMIT 1`,
          [organization_id, offset],
        );
        if (!rows[0]) throw new Error(`${table} of ${own} has too few rows`);
        return rows[0];
      };
      return { middle: await at(Math.floor(count / 2)), last: await at(count - 26) };
    };
    const cursorsOf = (
      list: { name: string; owner_id: string },
      found: Record<'middle' | 'last', Place>,
    ) => ({
      middle: encodeCursor(list, found.middle),
      last: encodeCursor(list, found.last),
    });
    const { rows: picked } = await client.query<{ id: string }>(
      `SELECT id FROM status_pages TABLESAMPLE bernoulli (${(100 * PICKED) / size.pages}) REPEATABLE (7)`,
    );
    const projectParameters = `AND project_id = '${GROWN_PROJECT}'`;
    return {
      size,
      url: own,
      key,
      server: await Server.start(SERVICE.server, (port) => serviceEnv(own, port)),
      pages: picked.map(({ id }) => id),
      cursors: {
        pages: cursorsOf(
          { name: 'status_pages', owner_id: GROWN_PROJECT },
          await places('status_pages', projectParameters, size.pages / 10),
        ),
        keys: cursorsOf(
          { name: 'api_keys', owner_id: organization_id },
          await places('api_keys', '', size.keys),
        ),
      },
    };
  });
}

/** Creates and fills a database of this size, or reuses a database from an earlier run, and creates an API key. */
async function prepare(url: string, size: Size): Promise<Database> {
  const name = `status_pages_growth_${size.pages}_${size.keys}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  const exists = await withClient(url, async (client) => {
    const { rows } = await client.query<{ done: boolean }>(
      `SELECT shobj_description(oid, 'pg_database') = 'filled' AS done FROM pg_database WHERE datname = $1`,
      [name],
    );
    return rows[0]?.done === true;
  });
  if (!exists) {
    print(`${name}: inserting …`);
    await dropDatabase(url, name);
    await withClient(url, (client) => client.query(`CREATE DATABASE ${name}`));
    const { id } = await cli(own.href, 'organization', 'create', '--name', 'Growth');
    await withClient(own.href, async (client) => {
      await fillGrown(client, id, size);
      await client.query(`COMMENT ON DATABASE ${name} IS 'filled'`);
    });
  }
  const organization_id = await withClient(own.href, async (client) => {
    const { rows } = await client.query<{ organization_id: string }>(
      'SELECT organization_id FROM status_pages LIMIT 1',
    );
    return rows[0]?.organization_id ?? '';
  });
  const scopes = SCOPES.flatMap((scope) => ['--scope', scope]);
  const { key } = await cli(
    own.href,
    'api-key',
    'create',
    '--name',
    'Growth',
    '--organization',
    organization_id,
    ...scopes,
  );
  return { url: own.href, organization_id, key };
}

async function measure(contender: Contender, send: Send, random: () => number): Promise<Sample> {
  return withClient(contender.url, async (client) => {
    await client.query('SELECT pg_stat_statements_reset()');
    const times: number[] = [];
    for (let number = 0; number < REQUESTS; number++) {
      const [method, path, body] = send(contender, random);
      const started = performance.now();
      const response = await fetch(contender.server.url + path, {
        method,
        headers: {
          Authorization: `Bearer ${contender.key}`,
          ...(body && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status}`);
      times.push(performance.now() - started);
    }
    const { rows } = await client.query<Omit<Sample, 'request'>>(
      `SELECT sum(shared_blks_hit + shared_blks_read)::float AS blocks, sum(shared_blks_read)::float AS reads, sum(total_exec_time) AS statements
         FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND query ~ 'status_pages|api_keys' AND query !~ 'last_used_at =|key_hash ='`,
    );
    const { blocks = NaN, reads = NaN, statements = NaN } = rows[0] ?? {};
    return {
      request: median(times),
      blocks: blocks / REQUESTS,
      reads: reads / REQUESTS,
      statements: statements / REQUESTS,
    };
  });
}

function toMarkdown(samples: Map<string, Sample[]>, size: Size): string {
  const rows = Object.keys(LOADS).map((name) => {
    const few = samples.get(`${FEW.pages} ${name}`) ?? [];
    const many = samples.get(`${size.pages} ${name}`) ?? [];
    const of = (all: Sample[], field: keyof Sample) => median(all.map((one) => one[field]));
    const ratio = median(many.map((one, index) => one.request / (few[index]?.request ?? NaN)));
    const each = (field: keyof Sample, digits: number) =>
      `${of(few, field).toFixed(digits)} → ${of(many, field).toFixed(digits)}`;
    return `| ${name} | ${ratio.toFixed(2)} | ${each('request', 1)} | ${each('statements', 2)} | ${each('blocks', 1)} | ${each('reads', 2)} |`;
  });
  const sizes = `${size.pages.toLocaleString('en')} pages and ${size.keys.toLocaleString('en')} keys`;
  return [
    `| ${sizes}, against 10,000 and 1,000 | time | ms | ms of statements | blocks | not in memory |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
