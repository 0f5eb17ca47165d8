import { describe, expect, it } from 'vitest';
import { everything, newNetwork, useSubscribe } from '../public-page/subscribe/use-subscribe.js';
import { PASSWORD, useGate, type Visiting } from './use-gate.js';

const { server, tenant, requests } = useSubscribe();
const { put, addLink, visit, fullPage, sessionOf } = useGate(server, tenant);

const send = (slug: string, visiting: Visiting) =>
  visit(`/status/${slug}/subscribe`, {
    form: Object.fromEntries(everything('jane@acme.example')),
    headers: { 'X-Forwarded-For': newNetwork() },
    ...visiting,
  });

describe('the form to subscribe to a private page', () => {
  it('works with a session or a token, and returns 404 to all others', async () => {
    const page = await fullPage();
    await put(page.id, { password: PASSWORD });
    const { token } = (await addLink(page.id)).body.data;
    const cookie = await sessionOf(page.slug);
    expect((await send(page.slug, {})).status).toBe(404);
    expect(await requests(page)).toEqual([]);
    for (const visiting of [{ cookie }, { token }]) {
      const form = await visit(`/status/${page.slug}/subscribe`, visiting);
      expect(form.status).toBe(200);
      expect(form.text).toMatch(/<button class="button" type="submit">/);
      const { status, text } = await send(page.slug, visiting);
      expect([status, text.includes('Check your inbox')]).toEqual([200, true]);
    }
    expect(await requests(page)).toHaveLength(2);
    await put(page.id, { password: PASSWORD });
    expect((await send(page.slug, { cookie })).status).toBe(404);
    expect(await requests(page)).toHaveLength(2);
  });
});
