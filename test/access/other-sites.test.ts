import { describe, expect, it } from 'vitest';
import { MAX_OF_NETWORK } from '../../src/visitors/password/password-entry.js';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { everything, newNetwork, useSubscribe } from '../public-page/subscribe/use-subscribe.js';
import { PASSWORD, useGate } from './use-gate.js';

const { server, tenant, requests, page } = useSubscribe();
const { put, visit, enter, fullPage } = useGate(server, tenant);

const OTHER_SITES = ['cross-site', 'same-site'];

/** Returns the headers of a form that a site sends in the browser of a visitor. */
const formOf = (site: string, address: string) => ({
  'Sec-Fetch-Site': site,
  'Sec-Fetch-Mode': 'navigate',
  Origin: 'null',
  'X-Forwarded-For': address,
});

describe('a form that another site sends in the browser of a visitor', () => {
  it('subscribes no address to a page that the network of the visitor may see', async () => {
    const gated = await fullPage();
    await put(gated.id, { networks: ['198.51.100.0/24'] });
    const send = (site: string) =>
      visit(`/status/${gated.slug}/subscribe`, {
        form: Object.fromEntries(everything('jane@acme.example')),
        headers: formOf(site, '198.51.100.7'),
      });
    for (const site of OTHER_SITES) {
      const { status, text, headers } = await send(site);
      expect([status, headers.get('cache-control')]).toEqual([403, 'private, no-store']);
      expect(text).toContain('was sent by another site');
    }
    expect(await requests(gated)).toEqual([]);
    for (const site of ['same-origin', 'none']) expect((await send(site)).status).toBe(200);
    expect(await requests(gated)).toHaveLength(2);
  });

  it('gets the same 403 for every form, page and unknown slug', async () => {
    const gated = await fullPage();
    await put(gated.id, { password: PASSWORD, emails: ['jane@acme.example'] });
    const open = await page();
    const forms = [
      'subscribe',
      'confirm/x',
      'subscription/x',
      'access/password',
      'access/email',
      'access/email/x',
      'access/oidc',
    ];
    const seen = new Set<string>();
    for (const slug of [gated.slug, open.slug, 'unknown-page'])
      for (const form of forms) {
        const { status, text } = await visit(`/status/${slug}/${form}`, {
          form: {},
          headers: formOf('cross-site', newNetwork()),
        });
        seen.add(JSON.stringify([status, text]));
      }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toContain('403');
  });

  it('uses up no attempt of the visitor', async () => {
    const gated = await fullPage();
    await put(gated.id, { password: PASSWORD });
    const address = newNetwork();
    for (let sent = 0; sent < MAX_OF_NETWORK; sent++)
      expect((await enter(gated.slug, 'x', '', { headers: formOf('cross-site', address) })).status).toBe(403);
    const { status } = await enter(gated.slug, PASSWORD, '', { headers: { 'X-Forwarded-For': address } });
    expect(status).toBe(303);
  });

  it('still ends a subscription by its link, as mail programs do (RFC 8058)', async () => {
    const { id, slug } = await page();
    const { body } = await server.ask('/v1/subscribers', {
      method: 'POST',
      key: tenant.key,
      json: { status_page_id: id, email: 'ada@acme.example', confirmed: true },
    });
    const token = server.app.get(SubscriptionTokens, { strict: false }).create('manage', body.data.id);
    const { status } = await visit(`/status/${slug}/unsubscribe/${token}`, {
      form: { 'List-Unsubscribe': 'One-Click' },
      headers: formOf('cross-site', newNetwork()),
    });
    expect(status).toBe(200);
  });
});
