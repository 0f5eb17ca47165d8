import type { Request } from 'autocannon';
import { encodeCursor } from '../src/platform/pagination/cursor.js';
import { withClient, type Database } from './databases.js';
import { LARGE_PROJECT } from './fill.js';

const SEED = 20_261_120;
const PICKED = 4_096;
const PATH = '/v1/status-pages';

interface Section {
  id: string;
  title: string;
  monitor_ids: string[];
}

interface PickedPage {
  id: string;
  project_id: string;
  sections: Section[];
}

/** The cursor of the last page of results in the large project, in the format of the service and of the baselines. */
export interface Cursors {
  service: string;
  baselines: string;
}

/** The projects and status pages of requests, drawn once, the same for every contender. */
export interface Draw {
  /** Projects with 25 status pages, in random order. */
  projects: string[];
  /** One status page of each project. */
  pages: PickedPage[];
  /** A project with one status page. */
  single: string;
  /** The last page of results with 25 items in the large project. */
  last: Cursors;
}

/** A kind of load. */
export interface Workload {
  name: string;
  /** The contenders that support these operations; by default all of them. */
  only?: 'service';
  /**
   * The requests that one connection repeats.
   * @param share status pages of only this connection, at least one
   * @param salt makes written values unique
   */
  requests(share: PickedPage[], draw: Draw, cursor: keyof Cursors, salt: string): Request[];
}

const getAt = (path: string): Request => ({ method: 'GET', path });
const get = (query: string) => getAt(`${PATH}${query}`);
const patch = (id: string, body: object): Request => ({
  method: 'PATCH',
  path: `${PATH}/${id}`,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Alternates two values, which differ between rounds, so that every PATCH changes something. */
const alternating = (
  share: PickedPage[],
  salt: string,
  one: (page: PickedPage, version: string) => Request,
) => ['a', 'b'].flatMap((turn) => share.map((page) => one(page, `${salt}${turn}`)));

const patchName = (page: PickedPage, version: string) => patch(page.id, { name: `Acme Cloud ${version}` });

const patchSections = (page: PickedPage, version: string) =>
  patch(page.id, {
    sections: page.sections.map(({ id, monitor_ids }) => ({
      id,
      title: `${id} ${version}`, // not based on the current title, which would grow beyond 200 characters
      monitor_ids: monitor_ids.toReversed(),
    })),
  });

const listOf25: Workload['requests'] = (share) =>
  share.map(({ project_id }) => get(`?project_id=${project_id}`));

/** Compares the service with all status pages and with 10,000. */
export const BY_SIZE = { name: 'list of 25, by number of pages', requests: listOf25 } as const;

/** The workloads of every contender. */
export const WORKLOADS = [
  { name: 'list of 25', requests: listOf25 },
  { name: 'list of 100', requests: () => [get(`?project_id=${LARGE_PROJECT}&limit=100`)] },
  { name: 'first page of the large project', requests: () => [get(`?project_id=${LARGE_PROJECT}`)] },
  {
    name: 'last page of the large project',
    requests: (_share, { last }, cursor) => [get(`?project_id=${LARGE_PROJECT}&cursor=${last[cursor]}`)],
  },
  {
    name: 'list of 25 monitors',
    only: 'service',
    requests: () => [getAt(`/v1/monitors?project_id=${LARGE_PROJECT}`)],
  },
  { name: 'list of 25 projects', only: 'service', requests: () => [getAt('/v1/projects')] },
  { name: 'project with one page', requests: (_share, { single }) => [get(`?project_id=${single}`)] },
  { name: 'GET one', requests: (share) => share.map(({ id }) => get(`/${id}`)) },
  {
    name: 'PATCH name',
    requests: (share, _draw, _cursor, salt) => alternating(share, salt, patchName),
  },
  {
    name: 'PATCH sections',
    requests: (share, _draw, _cursor, salt) => alternating(share, salt, patchSections),
  },
  {
    name: '90 % list, 10 % PATCH',
    requests: (share, _draw, _cursor, salt) =>
      alternating(share, salt, patchName).flatMap((change, index) => {
        const lists = Array.from({ length: 9 }, (_, step) => share[(9 * index + step) % share.length]);
        return [...lists.map((page) => get(`?project_id=${page?.project_id}`)), change];
      }),
  },
] as const satisfies Workload[];

export type WorkloadName = (typeof WORKLOADS)[number]['name'] | typeof BY_SIZE.name;

/** Draws the projects and status pages of requests. The same content gives the same ones. */
export async function draw({ url, organization_id }: Database): Promise<Draw> {
  return withClient(url, async (client) => {
    const { rows: projects } = await client.query<{ project_id: string; count: number }>(
      `SELECT project_id, count(*)::integer AS count FROM status_pages GROUP BY project_id ORDER BY project_id`,
    );
    const random = generator(SEED);
    const picked = shuffled(
      projects.flatMap(({ project_id, count }) => (count === 25 ? [project_id] : [])),
      random,
    ).slice(0, PICKED);
    const { rows: pages } = await client.query<PickedPage>(
      `SELECT id, project_id, sections
         FROM unnest($1::uuid[], $2::integer[]) WITH ORDINALITY AS picked (project, at, place),
              LATERAL (SELECT *
                         FROM status_pages
                        WHERE organization_id = $3 AND project_id = picked.project
                        ORDER BY created_at, id
                       OFFSET picked.at
                        LIMIT 1) AS page
        ORDER BY place`,
      [picked, picked.map(() => Math.floor(random() * 25)), organization_id],
    );
    const { rows: lasts } = await client.query<{ id: string; created_at: Date }>(
      `SELECT id, created_at
         FROM status_pages
        WHERE organization_id = $1 AND project_id = $2
        ORDER BY created_at, id
       OFFSET 25
        LIMIT 1`,
      [organization_id, LARGE_PROJECT],
    );
    const [last] = lasts;
    const single = projects.find(({ count }) => count === 1)?.project_id;
    if (!last || !single) throw new Error('the database is not filled');
    return {
      projects: picked,
      pages,
      single,
      last: {
        service: encodeCursor({ name: 'status_pages', owner_id: LARGE_PROJECT }, last),
        baselines: `${last.created_at.toISOString()}_${last.id}`,
      },
    };
  });
}

/** Fisher-Yates shuffle. */
function shuffled<T>(items: T[], random: () => number): T[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(random() * rest.length), 1));
}

/** Pseudo-random numbers from 0 to 1 (mulberry32), the same for the same seed. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
