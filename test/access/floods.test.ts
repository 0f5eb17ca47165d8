import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { VisitorTurns } from '../../src/visitors/cache/visitor-turns.js';
import { PageReader } from '../../src/page-model/page-reader.service.js';
import { MAX_MALFORMED, malformedLimit } from '../../src/visitors/routes/visitor-limits.js';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { statementsOf } from '../support/statements.js';
import { type Tenant, until, useTenant } from '../support/server.js';
import { isThorough } from '../support/thorough.js';
import { useAccess } from './use-access.js';
import { type Browser, useEntry } from './use-entry.js';

const PASSWORD = 'correct horse battery staple';
const SIZE = isThorough ? 300 : 20;
/** Unknown tokens of a client network in a minute. */
const MAX_UNKNOWN = 3;
/** A link in mail that no subscription has. */
const INVENTED = `st_${'A'.repeat(54)}`;

const { server, tenant, browser, useUp } = useEntry({
  DELIVERY: 'off',
  AUTH_RATE_LIMIT: String(MAX_UNKNOWN),
});
const others = [useTenant(server), useTenant(server)];

/** The pages of an organization. */
interface Pages {
  open: { id: string; slug: string };
  closed: { id: string; slug: string };
  /** Token of an access link. */
  token: string;
}

async function pagesOf(owner: Tenant): Promise<Pages> {
  const open = await server.page(owner, { subscribe_enabled: true });
  const closed = await server.page(owner, { is_public: false });
  const access = useAccess(server, owner);
  expect((await access.put(closed.id, { password: PASSWORD })).status).toBe(200);
  return { open, closed, token: (await access.addLink(closed.id)).body.data.token };
}

/** Returns a path with which a mail program ends a new subscription of a page. */
async function unsubscribePath({ open }: Pages, owner: Tenant): Promise<string> {
  const { body } = await server.ask('/v1/subscribers', {
    method: 'POST',
    key: owner.key,
    json: { status_page_id: open.id, email: `${crypto.randomUUID()}@example.com`, confirmed: true },
  });
  const token = server.app.get(SubscriptionTokens).create('manage', body.data.id);
  return `/status/${open.slug}/unsubscribe/${token}`;
}

let flooded: Pages;
let own: Pages;
let visitor: Browser;

beforeAll(async () => {
  flooded = await pagesOf(tenant);
  own = await pagesOf(others[0] ?? tenant);
  visitor = browser();
  const entered = await visitor.send(`/status/${own.closed.slug}/access/password`, { password: PASSWORD });
  if (entered.status !== 303) throw new Error(`no session: ${entered.status}`);
});

/** Readings of pages and rules that have begun and wait until `release`. */
let held: string[] = [];
let release: () => void = () => undefined;

/** Lets the database respond to the readings of these pages only after `release`. */
function hold(pages: Pages[]): void {
  const names = new Set(pages.flatMap(({ open, closed }) => [open.id, closed.id, closed.slug]));
  const reader = server.app.get(PageReader);
  const rules = server.app.get(AccessRulesService);
  const read = reader.read.bind(reader);
  const findBySlug = rules.findBySlug.bind(rules);
  const released = new Promise<void>((resolve) => {
    release = () => {
      reader.read = read;
      rules.findBySlug = findBySlug;
      resolve();
    };
  });
  const waitFor = async (name: string) => {
    if (!names.has(name)) return;
    held.push(name);
    await released;
  };
  held = [];
  reader.read = async (id, task) => {
    await waitFor(id);
    return read(id, task);
  };
  rules.findBySlug = async (slug) => {
    await waitFor(slug);
    return findBySlug(slug);
  };
}

afterEach(() => release());

type Flood = (from: Browser) => Promise<{ status: number }>;

/** Floods and their possible statuses. A client network gets 429 after 100 malformed forms. */
const FLOODS: [name: string, flood: Flood, statuses: number[]][] = [
  ['invented links of mail', (from) => from.visit(`/status/${flooded.open.slug}/confirm/${INVENTED}`), [404]],
  [
    'malformed forms',
    (from) => from.send(`/status/${flooded.open.slug}/subscribe`, { email: 'bad' }),
    [400, 429],
  ],
  ['visits of a private feed', (from) => from.visit(`/status/${flooded.closed.slug}/feed.rss`), [403]],
  ['visits of a gate', (from) => from.visit(`/status/${flooded.closed.slug}`), [403]],
];

/** Sends a request of each kind for the pages of another organization. Returns the statuses. */
async function visitOthers(): Promise<Record<string, number>> {
  const { open, closed, token } = own;
  const stranger = browser();
  const unsubscribe = await unsubscribePath(own, others[0] ?? tenant);
  const email = `${crypto.randomUUID()}@example.com`;
  const subscription = { email, systems: 'all', detail: 'all', maintenances: 'on' };
  const statuses: Record<string, number> = {};
  const requests: [name: string, request: () => Promise<{ status: number }>][] = [
    ['session', () => visitor.visit(`/status/${closed.slug}`)],
    ['access link', () => stranger.visit(`/status/${closed.slug}/feed.rss?token=${token}`)],
    ['unsubscribe', () => stranger.send(unsubscribe)],
    ['gate', () => stranger.visit(`/status/${closed.slug}`)],
    ['password', () => stranger.send(`/status/${closed.slug}/access/password`, { password: PASSWORD })],
    ['form', () => stranger.send(`/status/${open.slug}/subscribe`, subscription)],
    ['page', () => stranger.visit(`/status/${open.slug}/history`)],
  ];
  for (const [name, request] of requests) statuses[name] = (await request()).status;
  return statuses;
}

const SERVED = {
  session: 200,
  'access link': 200,
  unsubscribe: 200,
  gate: 403,
  password: 303,
  form: 200,
  page: 200,
};

describe.each([
  ['one client network', () => browser()],
  ['many client networks', () => undefined],
])('a flood from %s', (_, networkOf) => {
  it.each(FLOODS)(
    'with %s leaves visitors of other organizations their turns',
    async (_name, flood, expected) => {
      hold([flooded]);
      const from = networkOf();
      const sent = Array.from({ length: SIZE }, () => flood(from ?? browser()));
      await until(async () => held.length > 0);
      expect(await visitOthers()).toEqual(SERVED);
      expect(held).toHaveLength(1); // all others of the flood wait for the second reading
      release();
      for (const { status } of await Promise.all(sent)) expect(expected).toContain(status);
    },
  );
});

it('serves sessions and known tokens while strangers use all of their turns', async () => {
  const { closed, token } = own;
  expect((await visitor.visit(`/status/${closed.slug}/feed.rss?token=${token}`)).status).toBe(200);
  const all = [flooded, await pagesOf(others[1] ?? tenant)];
  hold(all);
  const sent = all.flatMap((pages) =>
    Array.from({ length: SIZE / 2 }, () => browser().visit(`/status/${pages.closed.slug}`)),
  );
  await until(async () => held.length === 2);
  const waiting = browser().visit(`/status/${closed.slug}`);
  expect((await visitor.visit(`/status/${closed.slug}`)).status).toBe(200);
  expect((await browser().visit(`/status/${closed.slug}/feed.rss?token=${token}`)).status).toBe(200);
  expect((await browser().send(await unsubscribePath(own, others[0] ?? tenant))).status).toBe(200);
  release();
  expect((await waiting).status).toBe(403);
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([403]));
});

it('rejects malformed forms of a client network above 100 in ten minutes, on all pages', async () => {
  const from = browser();
  const paths = [`${flooded.open.slug}/subscribe`, `${own.closed.slug}/access/password`];
  const send = (index: number) => from.send(`/status/${paths[index % 2]}`, { email: 'bad', password: '' });
  await useUp(malformedLimit(from.network), MAX_MALFORMED - 2);
  for (const index of [0, 1]) expect((await send(index)).status).toBe([400, 403][index]);
  for (const index of [0, 1]) {
    const { status, headers } = await send(index);
    expect([status, Number(headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((s) => s > 500 && s <= 600),
    ]);
  }
  expect((await browser().send(`/status/${paths[0]}`, { email: 'bad' })).status).toBe(400);
});

it.each([
  ['access link', 'al_', 'token', () => own.closed.slug, 403],
  ['preview link', 'pv_', 'preview', () => own.open.slug, 200],
])(
  'rejects unknown tokens of a client network above AUTH_RATE_LIMIT without a statement: %s',
  async (_, prefix, name, slugOf, status) => {
    const from = browser();
    const slug = slugOf();
    const send = (token: string) => from.visit(`/status/${slug}?${name}=${token}`);
    for (let count = 0; count < MAX_UNKNOWN; count++)
      expect((await send(generateToken(prefix))).status).toBe(status);
    let rejected = await send(generateToken(prefix));
    const statements = await statementsOf(async () => {
      rejected = await send(generateToken(prefix));
    });
    expect(statements.filter((text) => /FROM (access|preview)_links/.test(text))).toEqual([]);
    expect([rejected.status, Number(rejected.headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((s) => s > 50),
    ]);
    expect((await browser().visit(`/status/${slug}?${name}=${generateToken(prefix)}`)).status).toBe(status);
  },
);

it('rejects unknown links of mail of a client network above AUTH_RATE_LIMIT without a statement', async () => {
  const from = browser();
  const pathOf = (token: string) => `/status/${own.closed.slug}/access/email/${token}`;
  for (let count = 0; count < MAX_UNKNOWN; count++)
    expect((await from.visit(pathOf(generateToken('ae_')))).status).toBe(404);
  const statuses: number[] = [];
  const statements = await statementsOf(async () => {
    statuses.push((await from.visit(pathOf(generateToken('ae_')))).status);
    statuses.push((await from.send(pathOf(generateToken('ae_')))).status);
  });
  expect([statuses, statements]).toEqual([[429, 429], []]);
  expect((await browser().visit(pathOf(generateToken('ae_')))).status).toBe(404);
});

it('serves the access links that were valid before to a client network above AUTH_RATE_LIMIT', async () => {
  const { closed, token } = own;
  const path = `/status/${closed.slug}/feed.rss?token=`;
  expect((await browser().visit(path + token)).status).toBe(200);
  const from = browser();
  for (let count = 0; count <= MAX_UNKNOWN; count++) await from.visit(path + generateToken('al_'));
  expect((await from.visit(path + generateToken('al_'))).status).toBe(429);
  expect((await from.visit(path + token)).status).toBe(200);
});

it('renders the responses to strangers one by one, between which the event loop serves others', async () => {
  const turns = server.app.get(VisitorTurns);
  const order: string[] = [];
  const next = (name: string) => () => void order.push(name);
  const paced = ['A', 'A', 'A', 'B'].map((owner) => turns.pace({ owner, rank: 'last' }).then(next(owner)));
  for (let iteration = 0; iteration < 10; iteration++) {
    await new Promise(setImmediate);
    order.push('-');
  }
  await Promise.all(paced);
  expect(order.join('')).toMatch(/^-*A-+A-+B-+A/);
});
