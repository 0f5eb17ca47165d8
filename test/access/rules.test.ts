import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';
import { useAccess } from './use-access.js';

const server = useTestServer();
const tenant = useTenant(server);
const { get, put } = useAccess(server, tenant);

const PASSWORD = 'correct horse battery staple';
const OIDC = { issuer: 'https://login.acme.example', client_id: 'status', email_domains: ['acme.example'] };
const LISTS = {
  emails: ['Jane@Acme.example'],
  email_domains: ['münchen.example'],
  networks: ['192.0.2.0/24', '2001:db8::1'],
};

/** The stored secrets of a page. */
async function storedOf(id: string): Promise<{ password_hash: string | null; oidc_client_secret: Buffer }> {
  const [row] = await server.sql<{ password_hash: string | null; oidc_client_secret: Buffer }[]>(
    'SELECT password_hash, oidc_client_secret FROM status_page_access WHERE status_page_id = $1',
    [id],
  );
  if (!row) throw new Error('no rules');
  return row;
}

describe('GET /v1/status-pages/{id}/access', () => {
  it('returns rules that let in no visitor for a new status page', async () => {
    const page = await server.page(tenant);
    const created_at = page.created_at.toISOString();
    const { status, body, headers } = await get(page.id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      has_password: false,
      emails: [],
      email_domains: [],
      networks: [],
      oidc: null,
      status_page_id: page.id,
      project_id: tenant.project_id,
      updated_at: created_at,
    });
    expect(headers.get('etag')).toBe(`"${created_at}"`);
  });
});

describe('PUT /v1/status-pages/{id}/access', () => {
  it('replaces all rules, and keeps their spelling', async () => {
    const { id } = await server.page(tenant);
    const { body: before } = await get(id);
    const { status, body, headers } = await put(id, { ...LISTS, oidc: OIDC });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...LISTS, oidc: { ...OIDC, has_client_secret: false } });
    expect(body.data.updated_at > before.data.updated_at).toBe(true);
    expect(headers.get('etag')).toBe(`"${body.data.updated_at}"`);
    expect((await get(id)).body).toEqual(body);
    expect((await put(id, {})).body.data).toMatchObject({ ...before.data, updated_at: expect.anything() });
  });

  it('stores a password only as Argon2id hash with the parameters of OWASP', async () => {
    const { id } = await server.page(tenant);
    const { text, body } = await put(id, { password: PASSWORD });
    expect(body.data.has_password).toBe(true);
    expect(text).not.toContain(PASSWORD);
    const { password_hash } = await storedOf(id);
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify((await get(id)).body)).not.toContain(password_hash);
  });

  it('keeps the password if it is omitted, and removes it for null', async () => {
    const { id } = await server.page(tenant);
    await put(id, { password: PASSWORD });
    const { password_hash } = await storedOf(id);
    expect((await put(id, { networks: ['192.0.2.1'] })).body.data.has_password).toBe(true);
    expect((await storedOf(id)).password_hash).toBe(password_hash);
    expect((await put(id, { password: null })).body.data.has_password).toBe(false);
    expect((await storedOf(id)).password_hash).toBeNull();
  });

  it('encrypts the client secret, and keeps it only for the same issuer and client', async () => {
    const { id } = await server.page(tenant);
    const secret = 'a secret of the provider';
    const { text, body } = await put(id, { oidc: { ...OIDC, client_secret: secret } });
    expect(text).not.toContain(secret);
    expect(body.data.oidc?.has_client_secret).toBe(true);
    expect((await storedOf(id)).oidc_client_secret.toString('latin1')).not.toContain(secret);
    const kept = await put(id, { oidc: { ...OIDC, email_domains: [] } });
    expect(kept.body.data.oidc?.has_client_secret).toBe(true);
    for (const other of [{ issuer: 'https://evil.example' }, { client_id: 'other' }]) {
      await put(id, { oidc: { ...OIDC, client_secret: secret } });
      const { oidc } = (await put(id, { oidc: { ...OIDC, ...other } })).body.data;
      expect(oidc?.has_client_secret).toBe(false);
    }
    await put(id, { oidc: { ...OIDC, client_secret: secret } });
    const without = await put(id, { oidc: { ...OIDC, client_secret: null } });
    expect(without.body.data.oidc?.has_client_secret).toBe(false);
  });

  it('changes nothing for equal rules, not even updated_at', async () => {
    const { id } = await server.page(tenant);
    const rules = { ...LISTS, oidc: { ...OIDC, client_secret: 'a secret' } };
    const { body: before } = await put(id, rules);
    expect((await put(id, rules)).body).toEqual(before);
    expect((await put(id, { ...LISTS, oidc: OIDC })).body).toEqual(before);
  });

  it('returns 412 for another version', async () => {
    const { id } = await server.page(tenant);
    const etag = (await get(id)).headers.get('etag') ?? '';
    expect((await put(id, LISTS, { 'If-Match': etag })).status).toBe(200);
    expectProblem(await put(id, {}, { 'If-Match': etag }), 412, 'precondition_failed');
    expect((await get(id)).body.data).toMatchObject(LISTS);
  });

  it.each([
    ['the tag', '"…"', 200],
    ['a weak tag', 'W/"…"', 200],
    ['a tag that a proxy has changed', '"…-gzip"', 200],
    ['a list with the tag', '"2020-01-01T00:00:00.000Z", "…"', 200],
    ['any version', '*', 200],
    ['a tag of an older version', '"2020-01-01T00:00:00.000Z"', 412],
    ['a weak tag of an older version', 'W/"2020-01-01T00:00:00.000Z"', 412],
    ['a tag of another form', '"x"', 412],
    ['an unquoted tag', '…', 400],
    ['an open quote', '"…', 400],
    ['a tag after *', '*, "…"', 400],
    ['an empty value', '', 400],
  ])('treats If-Match as the PATCH of a status page does: %s', async (_, form, expected) => {
    const page = await server.page(tenant);
    const { body: before } = await put(page.id, { password: PASSWORD });
    const patched = await server.patch(
      tenant,
      page.id,
      { name: 'Changed' },
      { 'If-Match': form.replace('…', page.updated_at.toISOString()) },
    );
    const answer = await put(page.id, LISTS, { 'If-Match': form.replace('…', before.data.updated_at) });
    expect([answer.status, patched.status]).toEqual([expected, expected]);
    const { request_id, ...body } = answer.body;
    if (expected !== 200) {
      expect(body).toEqual({ ...patched.body, request_id: undefined });
      expect(request_id).not.toBe(patched.body.request_id);
      expect((await get(page.id)).body).toEqual(before);
    }
  });

  it('accepts the version of rules that were never set, and one of many concurrent requests for a version', async () => {
    const page = await server.page(tenant);
    const headers = { 'If-Match': `"${page.created_at.toISOString()}"` };
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => put(page.id, { networks: [`192.0.2.${index}`] }, headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412, 412]);
  });

  it.each([
    [{ password: 'short77' }, '#/password'],
    [{ password: 'x'.repeat(201) }, '#/password'],
    [{ emails: ['nobody'] }, '#/emails/0'],
    [{ emails: ['a@acme.example', 'a@acme.example'] }, '#/emails/1'],
    [{ emails: Array.from({ length: 1_001 }, (_, at) => `a${at}@acme.example`) }, '#/emails'],
    [{ email_domains: ['@acme.example'] }, '#/email_domains/0'],
    [{ email_domains: ['*.acme.example'] }, '#/email_domains/0'],
    [{ networks: ['192.0.2.0/33'] }, '#/networks/0'],
    [{ networks: ['acme.example'] }, '#/networks/0'],
    [{ networks: ['fe80::1%eth0'] }, '#/networks/0'],
    [{ oidc: { client_id: 'x' } }, '#/oidc/issuer'],
    [{ oidc: { ...OIDC, issuer: 'http://login.acme.example' } }, '#/oidc/issuer'],
    [{ oidc: { ...OIDC, issuer: 'https://10.0.0.1' } }, '#/oidc/issuer'],
    [{ oidc: { ...OIDC, issuer: 'https://login.acme.example/?a' } }, '#/oidc/issuer'],
    [{ oidc: { ...OIDC, issuer: 'https://user@login.acme.example' } }, '#/oidc/issuer'],
    [{ has_password: true }, '#/has_password'],
  ])('rejects %j', async (rules, pointer) => {
    const { id } = await server.page(tenant);
    const { errors } = expectProblem(await put(id, rules), 400, 'validation_failed');
    expect(errors?.map((error) => error.pointer)).toContain(pointer);
    expect((await get(id)).body.data).toMatchObject({
      has_password: false,
      emails: [],
      networks: [],
      oidc: null,
    });
  });
});
