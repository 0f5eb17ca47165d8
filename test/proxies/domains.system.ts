import { text } from 'node:stream/consumers';
import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSlug, visit } from '../public-page/cache/use-visits.js';
import { useDnsServer } from '../support/dns-server.js';
import { freePort } from '../support/free-port.js';
import { onceAnswered } from '../support/http-agent.js';
import { type Program, startProgram } from '../support/process.js';
import { DatabaseProxy } from '../support/proxy.js';
import { FrontProxy, NAME, PROXIES } from '../support/proxies/front-proxy.js';
import { type One, until, useTenant, useTestServer } from '../support/server.js';

const PASSWORD = 'correct horse battery staple';
/** A text that only visitors of a private page see. */
const SECRET = 'Secret page of our customer';

const PUBLIC_URL = `https://${NAME}`;

const server = useTestServer();
const tenant = useTenant(server);
const dns = useDnsServer();

/** The handshake fails (Caddy), or the certificate is for another name (nginx). */
const NO_CERTIFICATE = /^(EPROTO|ERR_SSL_\w+ALERT_INTERNAL_ERROR|ERR_TLS_CERT_ALTNAME_INVALID)$/;

interface Page {
  id: string;
  slug: string;
  domain: string;
}

for (const kind of PROXIES)
  describe(`domains of status pages behind ${kind.name}`, { tags: ['postgres', kind.name] }, () => {
    const domains = ['first', 'second', 'third', 'private', 'never'].map(
      (name) => `${name}.${newSlug()}.example`,
    );
    const pages: Page[] = [];
    let database: DatabaseProxy;
    let program: Program & { url: string };
    let proxy: FrontProxy;

    beforeAll(async () => {
      database = await DatabaseProxy.start(server.databaseEnv['DATABASE_URL'] ?? '');
      const admin = await freePort();
      program = await startProgram({
        ...server.databaseEnv,
        DATABASE_URL: database.url,
        PUBLIC_URL,
        TRUST_PROXY: '1',
        ADMIN_PORT: String(admin),
        DNS_SERVERS: dns.address,
      });
      proxy = await FrontProxy.start(kind, [Number(new URL(program.url).port)], {
        domains: domains.slice(0, 4),
        admin,
      });
      await until(async () => (await proxy.ask('/v1/me', { key: tenant.key })).status === 200);
      for (const domain of domains) {
        const { id, slug } = await server.page(tenant, { slug: newSlug(), custom_domain: domain });
        pages.push({ id, slug, domain });
      }
    });
    afterAll(async () => {
      await proxy.stop();
      program.kill('SIGKILL');
      await program.exit();
      await database.stop();
    });

    const pageAt = (index: number): Page => {
      const page = pages[index];
      if (!page) throw new Error(`there is no page ${index}`);
      return page;
    };

    /** Sets the record in DNS, and verifies the domain. */
    async function verify({ id, domain }: Page): Promise<void> {
      const path = `/v1/status-pages/${id}/domain`;
      const { body } = await server.ask<One<{ record: { name: string; value: string } }>>(path, tenant);
      dns.set(body.data.record.name, [`TXT ${body.data.record.value}`]);
      const answer = await proxy.ask(`${path}/verify`, { method: 'POST', key: tenant.key });
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ data: { domain, status: 'verified' } });
    }

    /** Returns the status of `/`, or `no certificate`. */
    const outcomeOf = (name: string) =>
      proxy.ask('/', { name }).then(
        ({ status }) => status,
        ({ code }: NodeJS.ErrnoException) => (NO_CERTIFICATE.test(code ?? '') ? 'no certificate' : code),
      );

    /** Waits until the domain serves its page. */
    const served = ({ domain }: Page) =>
      until(async () => {
        const answer = await proxy.ask('/', { name: domain }).catch(() => undefined);
        return answer?.status === 200 && answer;
      });

    it('get a certificate and serve their page once they are verified, with links to them', async () => {
      const page = pageAt(0);
      // nginx has its certificate from the operator.
      expect(await outcomeOf(page.domain)).toBe(kind.name === 'caddy' ? 'no certificate' : 404);
      await verify(page);
      const { bytes, headers } = await served(page);
      const html = bytes.toString();
      expect(html).toContain(`<link rel="canonical" href="https://${page.domain}/"`);
      expect(html).not.toContain(page.slug);
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
      const feed = await proxy.ask('/feed.json', { name: page.domain });
      expect(JSON.parse(feed.bytes.toString())).toMatchObject({ home_page_url: `https://${page.domain}/` });
      for (const path of ['/v1/me', '/docs', `/status/${pageAt(1).slug}`])
        expect([path, (await proxy.ask(path, { name: page.domain, key: tenant.key })).status]).toEqual([
          path,
          404,
        ]);
      const old = await proxy.ask(`/status/${page.slug}`);
      expect(old.bytes.toString()).toContain(`<link rel="canonical" href="https://${page.domain}/"`);
    });

    it('never get the cached response of another domain', async () => {
      await verify(pageAt(1));
      await served(pageAt(1));
      for (let round = 0; round < 3; round++)
        for (const page of [pageAt(0), pageAt(1)]) {
          const { bytes } = await proxy.ask('/feed.json', { name: page.domain });
          expect(JSON.parse(bytes.toString())).toMatchObject({ home_page_url: `https://${page.domain}/` });
          const { status } = await proxy.ask('/feed.json'); // of no page
          expect(status).toBe(404);
        }
      if (kind.name === 'nginx') expect(await proxy.log()).toContain('"cache":"HIT"');
    });

    it('show a private page only with a session of its own, regardless of any cache', async () => {
      const page = pageAt(3);
      await verify(page);
      await server.patch(tenant, page.id, { is_public: false, name: SECRET });
      const json = { password: PASSWORD };
      const path = `/v1/status-pages/${page.id}/access`;
      expect((await server.ask(path, { method: 'PUT', key: tenant.key, json })).status).toBe(200);
      const ask = (part: string, cookie = '') =>
        proxy.ask(part, { name: page.domain, headers: { Cookie: cookie } });
      await until(async () => (await ask('/').catch(() => undefined))?.status === 403);
      const entered = await proxy.ask('/access/password', {
        name: page.domain,
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password: PASSWORD, to: '/subscribe' }).toString(),
      });
      expect([entered.status, entered.headers.location]).toEqual([303, '/subscribe']);
      const [cookie = ''] = entered.headers['set-cookie'] ?? [];
      expect(cookie).toMatch(/^__Host-/);
      const [session] = cookie.split(';', 1);
      for (const part of ['/', '/history', '/feed.json', '/api/v2/summary.json'])
        for (const own of [undefined, session, undefined]) {
          const { status, bytes, headers } = await ask(part, own);
          const isSeen = bytes.toString().includes(SECRET) && status === 200;
          expect([part, status, isSeen]).toEqual([part, own ? 200 : 403, own !== undefined]);
          expect(headers['cache-control']).toBe('private, no-store');
        }
      expect(
        (await proxy.ask('/', { name: pageAt(0).domain, headers: { Cookie: session ?? '' } })).status,
      ).toBe(200);
      expect((await proxy.ask(`/status/${page.slug}`, { headers: { Cookie: session ?? '' } })).status).toBe(
        403,
      );
      if (kind.name !== 'nginx') return;
      const stored = await proxy.stored();
      expect([stored.includes(pageAt(0).domain), stored.includes(SECRET)]).toEqual([true, false]);
    });

    it('get no certificate if they are not verified', async () => {
      for (const name of [pageAt(4).domain, 'unknown.example'])
        expect([name, await outcomeOf(name)]).toEqual([name, 'no certificate']);
    });

    it('redirect visitors without TLS to their own address, and show where an unverified domain leads', async () => {
      const { domain } = pageAt(0);
      const redirected = await proxy.askWithoutTls('/history?month=2026-11', domain);
      expect([redirected.statusCode, redirected.headers.location]).toEqual([
        308,
        `https://${domain}/history?month=2026-11`,
      ]);
      expect((await proxy.askWithoutTls('/v1/me', domain)).statusCode).toBe(403);
      const [answer] = await onceAnswered(
        get({
          host: '127.0.0.1',
          port: proxy.httpPort,
          path: '/.well-known/status-pages',
          headers: { Host: pageAt(4).domain },
        }),
      );
      expect(JSON.parse(await text(answer))).toMatchObject({ data: { host: pageAt(4).domain } });
      if (kind.name !== 'nginx') return;
      const challenge = await proxy.askWithoutTls('/.well-known/acme-challenge/x', pageAt(4).domain);
      expect(challenge.statusCode).toBe(404);
    });

    it('get a certificate and serve their page while the database is unavailable', async () => {
      const page = pageAt(2);
      await verify(page);
      // The first visitor comes by another proxy.
      await until(async () => (await visit(program.url, { host: page.domain })).status === 200);
      database.cut();
      try {
        await until(async () => (await fetch(`${program.url}/health/ready`)).status === 503);
        expect((await served(page)).bytes.toString()).toContain(`href="https://${page.domain}/"`);
        expect(await outcomeOf('unknown.example')).toBe('no certificate');
      } finally {
        database.mend();
      }
    });
  });
