import { beforeAll, describe, expect, it } from 'vitest';
import { MemberLinks } from '../../src/members/member-links.js';
import { ROLES, scopesOf } from '../../src/members/roles.js';
import { CONSOLE_ACCESS, type ConsoleAccess } from '../../src/manage/console.guard.js';
import { handlersOf } from './handlers.js';
import { routesOf } from '../support/routes.js';
import { type Tenant, useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { hiddenIn, type Person, useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { ask, member, person } = useConsole(server);

/** The pattern of the paths that lead to nothing, where programs get the API's problem. */
const UNKNOWN = '/manage/{*unknown}';

/** Paths that everyone can open: to sign in, and those that lead to nothing. */
const OPEN = new Set([
  '/manage/sign-in',
  '/manage/sign-in/oidc',
  '/manage/sign-in/:token',
  '/manage/sign-in/passkey/challenge',
  '/manage/sign-in/passkey/response',
  UNKNOWN,
]);

/** Screens with the script of passkeys. */
const WITH_PASSKEYS = new Set(['/manage/account', '/manage/sign-in']);

/** Screens that show the same with and without a session, without the script of members. */
const WITHOUT_SESSION = new Set(['/manage/sign-in', '/manage/sign-in/:token']);

/** Screens of the member only. They belong to no project. */
const ACCOUNT = '/manage/account';

/** Statuses of routes that belong to no project, for the fields of another resource. */
const OF_NO_PROJECT: Record<string, number> = {
  'GET /manage': 200,
  'GET /manage/pages': 200,
  'GET /manage/keys': 200,
  'GET /manage/keys/new': 200,
  'POST /manage/keys': 400,
  'GET /manage/members': 200,
  'GET /manage/members/new': 200,
  'POST /manage/members': 400,
  'GET /manage/subscribers': 200,
  'POST /manage/preview': 200,
};

let routes: { method: string; path: string; access: ConsoleAccess | undefined }[];
beforeAll(() => {
  const declared = handlersOf<ConsoleAccess>(server.app, CONSOLE_ACCESS);
  routes = routesOf(server.app)
    .filter(({ path }) => path.startsWith('/manage') && !/\.(?:css|js)$/.test(path))
    .map((route) => ({ ...route, access: declared.get(`${route.method} ${route.path}`) }));
});

const concrete = (path: string, id = UNKNOWN_ID) => path.replaceAll(/:\w+/g, id);

/** Creates a resource of each kind. Returns their IDs, by the part of the path. */
async function contentsOf({ project_id, key }: Pick<Tenant, 'project_id' | 'key'>) {
  const make = async (path: string, json: object) =>
    (await server.ask(path, { method: 'POST', key, json: { project_id, ...json } })).body.data.id;
  const times = { starts_at: '2026-01-11T02:00:00Z', ends_at: '2026-01-11T03:00:00Z' };
  return {
    incidents: await make('/v1/incidents', { title: 'Secret incident' }),
    maintenances: await make('/v1/maintenances', { title: 'Secret window', ...times }),
    monitors: await make('/v1/monitors', { name: 'Secret monitor' }),
    drafts: await make('/v1/incident-drafts', { title: 'Secret draft' }),
    templates: await make('/v1/incident-templates', { name: 'Secret template', title: 'Secret' }),
    pages: await make('/v1/status-pages', { name: 'Secret page' }),
    webhooks: await make('/v1/webhook-endpoints', { url: 'https://example.com/Secret' }),
  };
}

describe('routes of /manage', () => {
  it('declare who may use them, and lead to the sign-in without a session', async () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(routes.filter(({ path }) => path.startsWith(ACCOUNT)).length).toBe(7);
    expect(routes.filter(({ path }) => path.startsWith('/manage/members')).length).toBe(9);
    expect(routes.filter(({ path }) => path.startsWith('/manage/pages/:id')).length).toBe(36);
    expect(routes.filter(({ path }) => path.startsWith('/manage/webhooks')).length).toBe(14);
    for (const { method, path, access } of routes) {
      expect([path, access]).not.toEqual([path, undefined]);
      expect([path, access === 'everyone']).toEqual([path, OPEN.has(path)]);
      if (access === 'everyone') continue;
      const { status, headers } = await ask(concrete(path), { method });
      const location = headers.get('location');
      if (path === '/manage/sign-out') expect([status, location]).toEqual([303, '/manage/sign-in']);
      else if (method === 'GET')
        expect([path, status, location]).toEqual([
          path,
          303,
          expect.stringMatching(/^\/manage\/sign-in\?to=/),
        ]);
      else expect([path, status, location]).toEqual([path, 403, null]);
    }
  });

  it.each(ROLES)('let a %s do what the scopes of the role contain', async (role) => {
    const { get, post } = await person(tenant, role);
    for (const { method, path, access } of routes) {
      if (access === undefined || access === 'everyone' || path === '/manage/sign-out') continue;
      const isAllowed = access === 'member' || scopesOf(role).includes(access);
      const { status, text } = method === 'GET' ? await get(concrete(path)) : await post(concrete(path));
      const isRefused = status === 403 && text.includes('Your role does not allow this');
      expect([method, path, role, !isRefused]).toEqual([method, path, role, isAllowed]);
    }
  });

  it('hide the projects of other members and organizations', async () => {
    const other = await server.tenant();
    const project_id = await server.project(tenant.organization_id);
    const places = [
      { of: await contentsOf({ project_id, key: tenant.key }), project_id },
      { of: await contentsOf(other), project_id: other.project_id },
    ];
    const { get, post } = await person(tenant, 'admin', [tenant.project_id]);
    for (const { of, project_id: hidden } of places) {
      for (const { method, path, access } of routes) {
        if (access === 'everyone' || path === '/manage/sign-out' || path.startsWith(ACCOUNT)) continue;
        const ids: Record<string, string> = of;
        const id = ids[path.split('/')[2] ?? ''] ?? of.incidents;
        const fields = { project_id: hidden, title: 'x', action: 'cancel', body: 'x', name: 'x' };
        const { status, text } =
          method === 'GET'
            ? await get(`${concrete(path, id)}?project=${hidden}`)
            : await post(concrete(path, id), fields);
        expect([method, path, text.includes('Secret')]).toEqual([method, path, false]);
        expect([method, path, status]).toEqual([method, path, OF_NO_PROJECT[`${method} ${path}`] ?? 404]);
      }
    }
  });

  it('never send a screen to caches or frames, and run only the scripts of the console', async () => {
    const { get } = await person(tenant, 'admin');
    for (const { path } of routes.filter(({ method, path: one }) => method === 'GET' && one !== UNKNOWN)) {
      const { headers, text } = await get(concrete(path));
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
      expect([path, headers.get('x-frame-options')]).toEqual([path, 'DENY']);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
      const isScreen = headers.get('content-type')?.startsWith('text/html') ?? false;
      const names = [
        ...(WITH_PASSKEYS.has(path) ? ['passkeys'] : []),
        ...(isScreen && !WITHOUT_SESSION.has(path) ? ['console'] : []),
      ];
      const scripts = [...text.matchAll(/<script src="\/manage\/(\w+)-[0-9a-f]{12}\.js" defer><\/script>/g)];
      expect([path, scripts.map(([, name]) => name)]).toEqual([path, names]);
      const csp = (headers.get('content-security-policy') ?? '').split(';');
      expect(csp).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]));
      const allowed = csp.filter((one) => /^(script|connect)-src/.test(one));
      expect([path, allowed]).toEqual([
        path,
        names.length > 0 ? ["script-src 'self'", "connect-src 'self'"] : [],
      ]);
      expect([path, text.match(/<script(?! src="\/manage\/)|style=|\son\w+=/g)]).toEqual([path, null]);
    }
  });

  it('return 404 on the domain of a page', async () => {
    const { locateDomain } = await import('../../src/visitors/cache/locate-domain.js');
    const request = { headers: { host: 'status.acme.com' }, url: '/manage', method: 'GET' };
    const domain = { domain: 'status.acme.com', slug: 'acme', page_id: UNKNOWN_ID };
    Reflect.apply(locateDomain, undefined, [request, () => domain]);
    expect(request.url).toBe('/status/acme/manage');
  });
});

describe('the guard of /manage', () => {
  const title = 'Only once';
  const fields = () => ({ project_id: tenant.project_id, title, step: 'publish', key: UNKNOWN_ID });
  const count = async () =>
    (await server.sql<unknown[]>('SELECT FROM incidents WHERE title = $1', [title])).length;

  it('rejects forms of other sites', async () => {
    const { post } = await person(tenant);
    const others: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ];
    for (const headers of others) {
      const { status, text } = await post('/manage/incidents', fields(), headers);
      expect([status, text]).toEqual([403, expect.stringContaining('sent by another site')]);
    }
    expect(await count()).toBe(0);
  });

  it('requires the token of the session, and keeps what was written without it', async () => {
    const [one, other] = [await person(tenant), await person(tenant)];
    const { token = '' } = hiddenIn(await other.get('/manage'));
    for (const wrong of ['', 'x', String(token)]) {
      const refused = await one.post('/manage/incidents', { ...fields(), token: wrong });
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('Nothing is lost');
      expect(hiddenIn(refused)).toMatchObject({ title });
    }
    expect(await count()).toBe(0);
  });

  it('ignores a form in the query of a GET', async () => {
    const { get } = await person(tenant);
    await get(`/manage/incidents?${new URLSearchParams(fields())}`);
    expect(await count()).toBe(0);
  });
});

describe('the menu', () => {
  const pathsIn = ({ text }: { text: string }) =>
    [...(text.split('<div class="own">')[0] ?? '').matchAll(/<li><a href="\/manage\/(\w+)"/g)]
      .map(([, name]) => name)
      .filter((name) => name !== 'monitors' && name !== 'pages');

  it('lists only screens on which the role can do something, and hides no screen that it may read', async () => {
    const responder = await person(tenant, 'responder');
    expect(pathsIn(await responder.get('/manage'))).toEqual([
      'incidents',
      'maintenances',
      'templates',
      'members',
      'log',
    ]);
    for (const path of ['/manage/keys', '/manage/webhooks'])
      expect((await responder.get(path)).status).toBe(200);
    expect(pathsIn(await (await person(tenant, 'editor')).get('/manage'))).toContain('subscribers');
    expect(pathsIn(await (await person(tenant, 'admin')).get('/manage'))).toHaveLength(8);
  });

  it('marks where the member is, and shows the address', async () => {
    const { email, get } = await person(tenant, 'admin');
    for (const path of ['/manage/log', '/manage/members/new', '/manage/account'])
      expect([path, (await get(path)).text.includes('<summary class="here">')]).toEqual([path, true]);
    const { text } = await get('/manage/members/new');
    expect(text).toContain('<a href="/manage/members" aria-current="page">Members</a>');
    const now = await get('/manage');
    expect(now.text.includes('<summary>')).toBe(true);
    expect(now.text).toContain(`<bdi class="quiet">${email}</bdi>`);
  });
});

describe('sign-in', () => {
  const linkOf = async (role: 'viewer' | 'admin' = 'admin') => {
    const found = await member(tenant, role);
    const token = await server.app.get(MemberLinks, { strict: false }).create(found);
    return `/manage/sign-in/${token}`;
  };

  it('works once by a link, whose GET changes nothing', async () => {
    const path = await linkOf();
    for (const method of ['GET', 'HEAD']) expect((await ask(path, { method })).status).toBe(200);
    const entered = await ask(path, { form: {} });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/manage?done=welcome']);
    const [cookie = ''] = entered.headers.getSetCookie();
    expect(cookie).toMatch(/^manage=ms_\w+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect((await ask('/manage', { cookie: cookie.split(';')[0] ?? '' })).status).toBe(200);
    expect((await ask(path, { form: {} })).status).toBe(403);
  });

  it('offers a password until the member has used the console', async () => {
    const found = await member(tenant, 'viewer');
    const enter = async () => {
      const token = await server.app.get(MemberLinks, { strict: false }).create(found);
      const { headers } = await ask(`/manage/sign-in/${token}`, { form: {} });
      const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const to = headers.get('location') ?? '';
      return [to, (await ask(to, { cookie })).text.includes('<a href="/manage/account">Set a password</a>')];
    };
    expect(await enter()).toEqual(['/manage?done=welcome', true]);
    await server.sql('UPDATE members SET last_seen_at = now(), updated_at = updated_at WHERE id = $1', [
      found.id,
    ]);
    expect(await enter()).toEqual(['/manage', false]);
  });

  it('starts a new session, and ends the one that the browser has had', async () => {
    const planted = await person(tenant);
    const entered = await ask(await linkOf(), { form: {}, cookie: planted.cookie });
    const [cookie = ''] = entered.headers.getSetCookie();
    expect(cookie.split(';')[0]).not.toBe(planted.cookie);
    expect((await planted.get('/manage')).status).toBe(303);
    const unknown = await ask(await linkOf(), { form: {}, cookie: 'manage=ms_planted' });
    expect(unknown.headers.getSetCookie().join()).not.toContain('planted');
  });

  it('names the member of a link if the browser has a session of another one', async () => {
    const [path, one] = [await linkOf('admin'), await person(tenant, 'viewer')];
    const [{ name = '' } = {}] = await server.sql<{ name: string }[]>(
      'SELECT name FROM organizations WHERE id = $1',
      [tenant.organization_id],
    );
    const { text } = await one.get(path);
    expect(text).toContain('You are signed in as <bdi>Pat &lt;viewer></bdi>');
    expect(text).toContain(`The link is for <bdi>Pat &lt;admin></bdi> (<bdi>${name}</bdi>)`);
    const own = await server.app.get(MemberLinks, { strict: false }).create({ ...tenant, id: one.id });
    for (const shown of [await ask(path), await one.get(`/manage/sign-in/${own}`), await one.get(`${path}x`)])
      expect([shown.status, shown.text]).toEqual([200, expect.not.stringContaining('The link is for')]);
  });

  it('leads neither to a link nor to the button that ends it', async () => {
    for (const to of [
      '/manage/sign-in/ml_link',
      '/manage/./sign-in/ml_link?x=1',
      '/manage/sign-in?to=/manage',
      '/manage/sign-out',
    ]) {
      const { text } = await ask(`/manage/sign-in?${new URLSearchParams({ to })}`);
      expect([to, /name="to" value="([^"]*)"/.exec(text)?.[1]]).toEqual([to, '/manage']);
    }
  });

  it('leads only to the console', async () => {
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/manage//evil',
      '/status/x',
      '/manage\r\nX: y',
      '/manage/../v1',
    ]) {
      const { text } = await ask(`/manage/sign-in?${new URLSearchParams({ to })}`);
      expect([to, /name="to" value="([^"]*)"/.exec(text)?.[1]]).toEqual([
        to,
        expect.stringMatching(/^\/manage(?!.*(?:\.\.|\/\/))/),
      ]);
    }
    const own = await ask('/manage/sign-in?to=%2Fmanage%2Fincidents%2Fnew%3Fproject%3D1');
    expect(own.text).toContain('value="/manage/incidents/new?project=1"');
  });

  it('shows the same for a wrong password of a member and of an unknown address', async () => {
    const { email } = await member(tenant, 'viewer');
    const responses = [];
    for (const address of [email, 'nobody@example.com']) {
      const form = { email: address, password: 'wrong password', way: 'password' };
      const { status, text } = await ask('/manage/sign-in', { form });
      responses.push([status, text.replaceAll(address, '')]);
    }
    expect(responses[0]).toEqual(responses[1]);
    expect(responses[0]?.[0]).toBe(403);
  });

  it('shows what is missing', async () => {
    const empty = await ask('/manage/sign-in', { form: { email: '', password: '', way: 'password' } });
    expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('Email address is missing')]);
    const none = await ask('/manage/sign-in', { form: { email: 'a@example.com', way: 'password' } });
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Password is missing')]);
  });

  it('ends by the button', async () => {
    const { get, post } = await person(tenant);
    const { status, headers } = await post('/manage/sign-out');
    expect([status, headers.get('location')]).toEqual([303, '/manage/sign-in']);
    expect(headers.getSetCookie().join()).toContain('manage=; Path=/; Max-Age=0');
    expect((await get('/manage')).status).toBe(303);
  });

  it('ends if the member is disabled', async () => {
    const one: Person = await person(tenant);
    await server.sql("UPDATE members SET status = 'disabled', updated_at = now() WHERE id = $1", [one.id]);
    expect((await one.get('/manage')).status).toBe(303);
  });
});
