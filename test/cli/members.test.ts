import { describe, expect, it } from 'vitest';
import { MemberLinks } from '../../src/members/member-links.js';
import { UNKNOWN_ID, useCli } from './use-cli.js';

const { call, expectFault, server } = useCli();

const create = (email: string, ...options: string[]) =>
  call<{ id: string; email: string; status: string; url: string }>(
    'member',
    'create',
    '--email',
    email,
    '--name',
    'Ada',
    '--role',
    'admin',
    ...options,
  );

const use = (url: string) => server.app.get(MemberLinks).use(url.split('/').at(-1) ?? '');

describe('cli member', () => {
  it('creates a member, and prints a link that signs the member in once', async () => {
    const { id: organization } = await call('organization', 'create', '--name', 'Acme');
    const created = await create('Ada@First.example', '--organization', String(organization));
    expect(created).toMatchObject({ email: 'ada@first.example', role: 'admin', status: 'invited' });
    const link = await call<{ url: string }>('member', 'link', 'ADA@first.example');
    expect(link).toEqual({
      id: created.id,
      organization_id: organization,
      role: 'admin',
      url: expect.stringMatching(/^http:\/\/localhost:\d+\/manage\/sign-in\/ml_\w{46}$/),
    });
    expect(await use(created.url)).toMatchObject({ id: created.id, status: 'active' });
    expect(await use(link.url)).toMatchObject({ id: created.id, status: 'active' });
    expect(await use(link.url)).toBeUndefined();
    expect(await call('member', 'list', '--organization', String(organization))).toMatchObject({
      data: [{ id: created.id, status: 'active' }],
    });
  });

  it('creates in the default organization', async () => {
    await create('default@first.example');
    expect(await call('member', 'list', '--limit', '1')).toMatchObject({
      data: [{ email: 'default@first.example' }],
    });
  });

  it('requires the organization if several have a member with the address', async () => {
    const { id: organization } = await call('organization', 'create', '--name', 'Other');
    await create('both@first.example');
    await create('both@first.example', '--organization', String(organization));
    await expectFault(/pass --organization/, 'member', 'link', 'both@first.example');
    expect(
      await call('member', 'link', 'both@first.example', '--organization', String(organization)),
    ).toMatchObject({ organization_id: organization });
  });

  it.each<[RegExp, ...string[]]>([
    [/no member with this address can sign in/, 'member', 'link', 'nobody@first.example'],
    [/email address/, 'member', 'link', 'nobody'],
    [
      /one of viewer, responder, editor, admin/,
      'member',
      'create',
      '--email',
      'a@b.example',
      '--name',
      'A',
      '--role',
      'x',
    ],
    [/organization .* does not exist/, 'member', 'list', '--organization', UNKNOWN_ID],
  ])('fails with an error message: %s', async (line, ...parameters) => {
    await expectFault(line, ...parameters);
  });
});
