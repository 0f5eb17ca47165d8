import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { domainsOf } from '../domains/use-domains.js';
import { type Visit, visit } from '../public-page/cache/use-visits.js';
import { until } from '../support/server.js';
import { HostileIssuer } from './oidc/hostile-issuer.js';
import { CLIENT } from './oidc/provider.js';
import { useEntry } from './use-entry.js';
import { PASSWORD } from './use-gate.js';

const { server, tenant, access, browser, page, change, linkTo } = useEntry({
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
});
const domains = domainsOf(server);

let issuer: HostileIssuer;
beforeAll(async () => void (issuer = await HostileIssuer.start()));
afterAll(() => issuer.stop());

interface Answer {
  status: number;
  headers: Headers | Visit['headers'];
}

/** Checks that each response has an ID of its own. Returns the statuses. */
function statusesOf(answers: Answer[]): number[] {
  const ids = answers.map(({ headers }) =>
    headers instanceof Headers ? headers.get('x-request-id') : headers['x-request-id'],
  );
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)));
  expect(new Set(ids).size).toBe(ids.length);
  return answers.map(({ status }) => status);
}

const oidc = () => ({ oidc: { issuer: issuer.issuer, ...CLIENT, email_domains: [] } });

describe('X-Request-Id', () => {
  it('appears in the responses of the gate and its password, for visitors with and without access', async () => {
    const { id, slug } = await page({ password: PASSWORD });
    const { token } = (await access.addLink(id)).body.data;
    const answers: Answer[] = [];
    const visitor = browser();
    const path = `/status/${slug}`;
    for (const part of ['', '/feed.rss', '/badge.svg', '/no-such-part', `?token=${token}`])
      answers.push(await visitor.visit(path + part));
    answers.push(await visitor.send(`${path}/access/password`, { password: 'wrong' }));
    answers.push(await visitor.visit(`${path}/access/password`, { method: 'POST', body: '{}' }));
    answers.push(await visitor.visit(`${path}/access/password`));
    answers.push(await visitor.send('/status/no-such-page/access/password', { password: PASSWORD }));
    answers.push(await visitor.send(`${path}/access/password`, { password: PASSWORD }));
    answers.push(await visitor.visit(path));
    answers.push(await visitor.visit(path, { method: 'HEAD' }));
    for (let attempt = 0; attempt < 20; attempt++)
      answers.push(await visitor.send(`${path}/access/password`, { password: 'wrong' }));
    const statuses = statusesOf(answers);
    expect(statuses.slice(0, 12)).toEqual([403, 403, 403, 404, 200, 403, 415, 303, 404, 303, 200, 200]);
    expect(statuses.at(-1)).toBe(429);
  });

  it('appears in the responses to the form and the link of an entry by mail', async () => {
    const email = 'request@acme.example';
    const { slug } = await page({ emails: [email] });
    const answers: Answer[] = [];
    const visitor = browser();
    const path = `/status/${slug}/access/email`;
    answers.push(await visitor.send(path, { email: 'no address' }));
    answers.push(await visitor.send(path, { email }));
    const link = await linkTo(email);
    answers.push(await visitor.visit(link));
    answers.push(await visitor.send(link));
    answers.push(await visitor.send(link));
    answers.push(await visitor.send(`${path}/no-such-link`));
    for (let sent = 0; sent < 5; sent++) answers.push(await visitor.send(path, { email }));
    expect(statusesOf(answers)).toEqual([403, 200, 200, 303, 404, 404, 200, 200, 200, 200, 429]);
  });

  it('appears in the responses of a sign-in with OpenID Connect, also if it fails', async () => {
    const { id, slug } = await page(oidc());
    const answers: Answer[] = [];
    const visitor = browser();
    const path = `/status/${slug}/access/oidc`;
    const begun = await visitor.send(path);
    answers.push(begun);
    const [, url = ''] = /content="0;url=([^"]+)"/.exec(begun.text) ?? [];
    const query = issuer.callback(url.replaceAll('&amp;', '&'));
    answers.push(await visitor.visit(`${path}/callback${query}`));
    answers.push(await visitor.visit(`${path}/callback${query}`));
    await change({ id }, { oidc: { ...oidc().oidc, issuer: 'http://127.0.0.1:9' } });
    answers.push(await visitor.send(path));
    await change({ id }, { password: PASSWORD });
    answers.push(await visitor.send(path));
    answers.push(await visitor.visit(`${path}/callback${query}`));
    expect(statusesOf(answers)).toEqual([200, 303, 400, 502, 404, 404]);
  });

  it('appears in the responses of a domain, its routing token and redirects from a former slug', async () => {
    const domain = `${randomUUID()}.example`;
    const { id, slug } = await domains.page(tenant, domain, { is_public: false });
    await change({ id }, { password: PASSWORD });
    await until(async () => (await visit(`${server.url}/`, { host: domain })).status === 403);
    const answers: Answer[] = [];
    for (const path of ['/', '/feed.rss', '/v1/me', '/no-such-part', '/.well-known/status-pages'])
      answers.push(await visit(server.url + path, { host: domain }));
    answers.push(await visit(`${server.url}/.well-known/status-pages`));
    await server.patch(tenant, id, { is_public: true });
    await server.ask(`/v1/status-pages/${id}/settings`, {
      method: 'PATCH',
      key: tenant.key,
      json: { slug: `${slug}-new` },
    });
    const path = `${server.url}/status/${slug}`;
    await until(async () => (await visit(path)).status === 308);
    for (const part of ['', '/feed.rss', '/', '?preview=pv_x']) answers.push(await visit(path + part));
    answers.push(await visit(path, {}, 'HEAD'));
    answers.push(await browser().send(`/status/${slug}/subscribe`, { email: 'a@acme.example' }));
    expect(statusesOf(answers)).toEqual([403, 403, 404, 404, 200, 200, 308, 308, 308, 308, 308, 308]);
  });
});
