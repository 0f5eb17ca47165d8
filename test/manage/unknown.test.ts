import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { routesOf } from '../support/routes.js';
import { useTenant, useTestServer } from '../support/server.js';
import { UNKNOWN_ID } from '../support/use-resource.js';
import { useConsole } from './use-console.js';

const server = useTestServer();
const tenant = useTenant(server);
const { ask, person } = useConsole(server);

const TITLE = '<h1>There is no such screen</h1>';
const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('an unknown path below /manage', () => {
  it.each(['/manage/x', '/manage/incidents/x/y/z', '/manage/pages//x', '/manage/<b>'])(
    'shows a member a screen with the menu and a way back: %s',
    async (path) => {
      const { cookie } = await person(tenant, 'viewer');
      const { status, headers, text } = await ask(path, { cookie, headers: BROWSER });
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
        'no-store',
        null,
      ]);
      for (const part of [TITLE, 'href="/manage/account"', 'href="/manage">To the first screen</a>'])
        expect(text).toContain(part);
      expect(text).not.toContain('<b>');
    },
  );

  it('shows strangers a screen without the menu', async () => {
    for (const form of [undefined, { title: 'x' }]) {
      const { status, text } = await ask('/manage/x', { headers: BROWSER, ...(form && { form }) });
      expect([status, text]).toEqual([404, expect.stringContaining(TITLE)]);
      expect(text).not.toContain('/manage/account');
    }
  });

  it('leads to the screen without the slash at the end', async () => {
    for (const [path, to] of [
      ['/manage/', '/manage'],
      ['/manage/pages/', '/manage/pages'],
      ['/manage/sign-in/', '/manage'],
      ['/manage//evil.example/', '/manage'],
    ] as const) {
      const { status, headers } = await ask(path, { headers: BROWSER });
      expect([path, status, headers.get('location')]).toEqual([path, 303, to]);
    }
  });

  it('shows that the address of a form cannot be opened', async () => {
    const path = `/manage/incidents/${UNKNOWN_ID}/updates`;
    const { status, headers, text } = await ask(path, { headers: BROWSER });
    expect([status, headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    expect(text).toContain('This is the address of a form');
  });

  it('rejects a form of another site', async () => {
    const headers = { ...BROWSER, Origin: 'https://evil.example' };
    expect((await ask('/manage/x', { form: {}, headers })).status).toBe(403);
  });

  it('comes after all other routes of the console', () => {
    const paths = routesOf(server.app)
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/manage'));
    expect(paths.indexOf('/manage/{*unknown}')).toBe(paths.length - 2);
  });

  it('leaves responses to programs, and the paths of the API, as they are', async () => {
    for (const path of ['/manage/x', '/v1/x', '/managex', '/x'])
      expectProblem(await server.ask(path), 404, 'not_found');
    for (const path of ['/v1/x', '/managex', '/x'])
      expectProblem(await server.ask(path, { headers: BROWSER }), 404, 'not_found');
    expectProblem(await server.ask('/manage/x', { method: 'PUT' }), 404, 'not_found');
    const options = await server.ask('/manage/x', { method: 'OPTIONS' });
    expect(options.status).toBe(404);
  });
});
