import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { until, useTenant, useTestServer } from '../support/server.js';
import { PASSWORD, pathsOf, SECRET, useGate } from './use-gate.js';

const HOME_PAGE = `home-${randomUUID()}`;
const server = useTestServer({ HOME_PAGE });
const tenant = useTenant(server);
const { put, visit, enter, fullPage } = useGate(server, tenant);

describe('a private page of HOME_PAGE', () => {
  it('shows its gate at /, opens there with a session, and closes when its rules change', async () => {
    expect((await visit('/')).status).toBe(404);
    const page = await fullPage({ slug: HOME_PAGE });
    await put(page.id, { password: PASSWORD });
    await until(async () => (await visit('/')).status === 403, 3_000);
    const gate = await visit('/');
    expect(gate.text).toContain(`action="/status/${HOME_PAGE}/access/password`);
    expect(gate.text).not.toContain(SECRET);
    expect(gate.headers.get('cache-control')).toBe('private, no-store');
    expect((await enter(HOME_PAGE, 'a wrong password')).status).toBe(403);

    const entered = await enter(HOME_PAGE);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/']);
    const [cookie = ''] = (entered.headers.getSetCookie()[0] ?? '').split(';', 1);
    const shown = await visit('/', { cookie });
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(shown.text).toContain(SECRET);
    for (const path of pathsOf(page).filter((one) => !one.endsWith(HOME_PAGE) && !one.includes('?lang')))
      expect([path, (await visit(path, { cookie })).status]).toEqual([path, 200]);
    const below = await visit(`/status/${HOME_PAGE}?a=b`, { cookie });
    expect([below.status, below.headers.get('location')]).toEqual([308, '/?a=b']);
    // Nothing of the session remains for others.
    expect((await visit('/')).text).toBe(gate.text);

    await put(page.id, { password: 'another password' });
    expect((await visit('/', { cookie })).status).toBe(403);
    await put(page.id, { password: null });
    expect((await visit('/', { cookie })).status).toBe(404);
  });
});
