import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Access, Project, StatusPage } from '../../clients/typescript/src/index.js';
import { domainsOf } from '../domains/use-domains.js';
import { useTenant, useTestServer } from '../support/server.js';
import { callCommand, useCommand } from './use-command.js';

const server = useTestServer({ PUBLIC_URL: 'https://status.example.com' });
const tenant = useTenant(server);
const { prints, json, fails } = useCommand(server, tenant);

const directory = mkdtempSync(join(tmpdir(), 'command-pages-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

describe('status-pages project', () => {
  it('creates a project, in which other commands work by its name', async () => {
    const own = await server.tenant();
    const command = useCommand(server, own);
    const { id } = await command.json<Project>('project', 'create', 'Web');
    expect(await command.prints('project', 'list')).toContain(`  ${id}\n`);
    await command.prints('page', 'create', 'In Web', '--project', 'Web');
    const pages = await server.client(own.key).statusPages.list({ project_id: id }).toArray();
    expect(pages.map(({ name }) => name)).toEqual(['In Web']);
  });
});

describe('the URL that status-pages page prints', () => {
  it('begins with PUBLIC_URL, or with the domain as soon as it is verified', async () => {
    const domains = domainsOf(server);
    const url = /^url +(\S+)$/m;
    const created = await prints('page', 'create', 'Acme', '--slug', 'acme');
    expect(url.exec(created)?.[1]).toBe('https://status.example.com/status/acme');
    expect(await prints('page', 'domain', 'acme', 'status.acme.example')).toMatch(
      /^status +pending\nrecord +_status-pages\.status\.acme\.example TXT status-pages-verification=\w+$/m,
    );
    const { id } = await json<StatusPage>('page', 'get', 'acme');
    await domains.verify(id);
    expect(url.exec(await prints('page', 'get', 'acme'))?.[1]).toBe('https://status.acme.example');
    expect(url.exec(await prints('page', 'set', 'acme', '--name', 'A'))?.[1]).toBe(
      'https://status.acme.example',
    );
    expect(await server.client(tenant.key).statusPages.summary(id)).toMatchObject({
      url: 'https://status.acme.example',
    });
    expect(await prints('page', 'domain', 'acme')).toMatch(/^status +verified$/m);
    expect(await prints('page', 'domain', 'acme', 'none')).toBe('The status page has no domain.\n');
    await domains.refresh();
    expect(await fails(1, {}, 'page', 'domain', 'acme', '--verify')).toContain('has no domain');
    expect(url.exec(await prints('page', 'get', 'acme'))?.[1]).toBe('https://status.example.com/status/acme');
  });

  it('requires a key that can read status pages, and is omitted otherwise', async () => {
    const { key } = await server.key(tenant.organization_id, {
      scopes: ['status_pages:write'],
      project_ids: [tenant.project_id],
    });
    const created = await useCommand(server, { key }).prints('page', 'create', 'Written');
    expect(created).toContain('slug');
    expect(created).not.toContain('url');
  });
});

describe('status-pages page --subscribe', () => {
  it('lets visitors subscribe, and prints the warning of the server that has no mail', async () => {
    const env = { STATUS_PAGES_URL: server.url, STATUS_PAGES_KEY: tenant.key };
    const call = (...parameters: string[]) => callCommand(server, env, ...parameters);
    const created = await call('page', 'create', 'Mail', '--slug', 'letters', '--subscribe');
    const warning = 'warning: visitors cannot subscribe by mail, because the server has no SMTP_URL.\n';
    expect([created.code, created.stderr]).toEqual([0, warning]);
    expect(created.stdout).toMatch(/^subscriptions by mail +yes$/m);
    expect(await prints('page', 'set', 'letters', '--no-subscribe')).toMatch(/^subscriptions by mail +no$/m);
    const set = await call('page', 'set', 'letters', '--name', 'Letters', '--subscribe', '--json');
    expect(JSON.parse(set.stdout)).toMatchObject({ name: 'Letters', subscribe_enabled: true });
    expect(set.stderr).toBe(warning);
  });
});

describe('status-pages page access', () => {
  it('sets rules from options and files, and keeps the omitted ones', async () => {
    await prints('page', 'create', 'Inside', '--slug', 'inside', '--private');
    const access = (...options: string[]) => json<Access>('page', 'access', 'inside', ...options);
    const password = file('password', 'correct horse battery staple\n');
    const networks = ['--network', '192.0.2.0/24', '--network', '2001:db8::/32'];
    expect(await access('--password-file', password, ...networks)).toMatchObject({
      has_password: true,
      networks: ['192.0.2.0/24', '2001:db8::/32'],
    });
    const oidc = { issuer: 'https://login.acme.example', client_id: 'status-page' };
    const { statusPages } = server.client(tenant.key);
    const { id } = await json<StatusPage>('page', 'get', 'inside');
    await statusPages.replaceAccess(id, { networks: ['192.0.2.0/24'], oidc });
    expect(await access('--email', 'jane@acme.example', '--email-domain', 'acme.example')).toMatchObject({
      has_password: true,
      emails: ['jane@acme.example'],
      email_domains: ['acme.example'],
      networks: ['192.0.2.0/24'],
      oidc,
    });
    expect(await prints('page', 'access', 'inside', '--password-file', 'none', '--network', 'none')).toBe(
      'password        no\nemails          jane@acme.example\nemail domains   acme.example\nnetworks        none\nOpenID Connect  https://login.acme.example\n',
    );
    expect(await fails(2, {}, 'page', 'access', 'inside', '--password-file', 'missing')).toContain(
      'The file missing cannot be read',
    );
  });

  it('creates a link with the URL for visitors', async () => {
    expect(await prints('page', 'access-link', 'inside', 'Feed reader')).toMatch(
      /^url +https:\/\/status\.example\.com\/status\/inside\?token=al_\w+$/m,
    );
  });
});
