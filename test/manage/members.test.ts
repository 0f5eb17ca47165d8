import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/members/roles.js';
import { useEntry } from '../access/use-entry.js';
import { type Tenant, until, useTenant, useTestServer } from '../support/server.js';
import { type Fields, hiddenIn, type Person, type Shown, useConsole } from './use-console.js';

const PATH = '/manage/members';

const { server, tenant, mails, mailTo } = useEntry();
const { ask, person } = useConsole(server);

let admin: Person;
beforeAll(async () => {
  admin = await person(tenant, 'admin');
});

const newEmail = () => `${randomUUID().slice(-12)}@example.com`;

interface Row {
  id: string;
  name: string;
  role: Role;
  status: string;
  project_ids: string[] | null;
}
const rowOf = async (email: string) =>
  (
    await server.sql<Row[]>('SELECT id, name, role, status, project_ids FROM members WHERE email = $1', [
      email,
    ])
  )[0];

const eventsOf = async (id: string) =>
  server.sql<{ type: string; via: string; actor_id: string }[]>(
    'SELECT type, via, actor_id FROM events WHERE resource_id = $1 ORDER BY created_at, id',
    [id],
  );

const errorOf = ({ text }: Shown, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)</p>`).exec(text)?.[1];

const summaryOf = ({ text }: Shown) => /<p class="notice" role="alert">([^<]*)<\/p>/.exec(text)?.[1];

const invitation = (fields: Fields = {}) => ({
  key: randomUUID(),
  email: newEmail(),
  name: 'Grace Hopper',
  role: 'responder',
  projects: 'all',
  ...fields,
});

/** Sends the form of a member with its version, and the given changes. */
async function save(by: Person, id: string, fields: Fields): Promise<Shown> {
  const shown = await by.get(`${PATH}/${id}`);
  const { updated_at = '' } = hiddenIn(shown);
  return by.post(`${PATH}/${id}`, {
    updated_at,
    name: 'Pat',
    role: 'viewer',
    projects: 'all',
    ...fields,
  });
}

/** Sends the form of a member's button with its version. */
async function press(by: Person, id: string, action: string, fields: Fields = {}): Promise<Shown> {
  const { updated_at = '' } = hiddenIn(await by.get(`${PATH}/${id}`));
  return by.post(`${PATH}/${id}/${action}`, { updated_at, ...fields });
}

const destination = ({ status, headers }: Shown) => [status, headers.get('location')];

describe('GET /manage/members', () => {
  it('shows name, address, role, status and last use, to everyone who may read members', async () => {
    const viewer = await person(tenant, 'viewer');
    await server.sql(
      "UPDATE members SET last_seen_at = now() - interval '5.5 minutes', updated_at = updated_at WHERE id = $1",
      [viewer.id],
    );
    const { status, text } = await viewer.get(PATH);
    expect(status).toBe(200);
    expect(text).toMatch(
      new RegExp(
        `Pat &lt;viewer> \\(you\\)</bdi><span class="quiet"><bdi>${viewer.email}</bdi> · Viewer · seen 5 minutes ago`,
      ),
    );
    await admin.post(PATH, invitation({ name: '<img src=x>' }));
    const { text: later } = await viewer.get(PATH);
    expect(later).not.toContain('<img');
    expect(later).toMatch(/&lt;img src=x><\/bdi>.* · Responder · Invited · not seen yet/);
  });

  it('shows buttons only to those who may use them', async () => {
    const { text } = await (await person(tenant, 'editor')).get(PATH);
    expect(text).not.toContain(`href="${PATH}/`);
    expect((await admin.get(PATH)).text).toContain(`href="${PATH}/new"`);
  });

  it('appears in the menu', async () => {
    expect((await admin.get('/manage')).text).toContain(`href="${PATH}"`);
  });

  it('shows many members in steps, of at most 30 kB each', async () => {
    const large = await server.tenant();
    const { get } = await person(large, 'admin');
    await server.sql(
      `INSERT INTO members (id, organization_id, email, name, role, status, created_at, updated_at)
       SELECT gen_random_uuid(), $1, i || '-many@example.com', repeat('x', 60), 'viewer', 'active', now(), now() FROM generate_series(1, 120) i`,
      [large.organization_id],
    );
    let path: string | undefined = PATH;
    let rows = 0;
    for (let count = 0; path !== undefined && count < 5; count++) {
      const { text } = await get(path);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000);
      rows += text.split('<li class="row">').length - 1;
      path = /href="([^"]*)" rel="next"/.exec(text)?.[1];
    }
    expect(rows).toBe(121);
  });
});

describe('an invitation', () => {
  it('creates one member, also if the form is sent twice, and sends a link', async () => {
    const shown = await admin.get(`${PATH}/new`);
    expect(shown.text).toContain('value="responder" checked');
    const fields = invitation({ projects: 'some', project_ids: [tenant.project_id] });
    const sent = [await admin.post(PATH, fields), await admin.post(PATH, fields)].map(destination);
    const row = await rowOf(fields.email);
    const path = `${PATH}?done=invited&invited=${row?.id}`;
    expect(sent).toEqual([303, 303].map((status) => [status, path]));
    expect((await admin.get(path)).text).toContain(
      `<p class="notice" role="status">${fields.email} is invited. This server writes mail to files: pass on the link of the newest one in ${resolve(mails)}.`,
    );
    expect((await admin.get(`${PATH}?done=invited&invited=x`)).text).toContain('>The member is invited.</p>');
    expect(row).toMatchObject({
      name: 'Grace Hopper',
      role: 'responder',
      status: 'invited',
      project_ids: [tenant.project_id],
    });
    expect(await eventsOf(row?.id ?? '')).toEqual([
      { type: 'member.created', via: 'console', actor_id: admin.id },
    ]);
    const [mail] = await until(async () => {
      const found = await mailTo(fields.email);
      return found.length > 0 && found;
    });
    expect(mail?.text).toContain('/manage/sign-in/ml_');
    for (const text of ['Pat <admin> has invited you.', 'Ask for a new link here:\n'])
      expect(mail?.text).toContain(text);
    expect(mail?.html).toContain('Pat &lt;admin> has invited you.');
  });

  it('explains each role in a line', async () => {
    const { text } = await admin.get(`${PATH}/new`);
    expect(text.match(/<label class="check"><input type="radio" name="role"/g)).toHaveLength(4);
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('Responder Also publishes incidents and maintenance.');
  });

  it('names the inviter in a line of bounded length, without control characters', async () => {
    const inviter = await person(tenant, 'admin');
    const name = `Eve\r\nBcc: all@example.com\u202e ${'x'.repeat(80)}`;
    await server.sql('UPDATE members SET name = $2, updated_at = now() WHERE id = $1', [inviter.id, name]);
    const fields = invitation();
    await inviter.post(PATH, fields);
    const [mail] = await until(async () => {
      const found = await mailTo(fields.email);
      return found.length > 0 && found;
    });
    expect(mail?.text).toMatch(/^Eve Bcc: all@example\.com x{35} has invited you\./m);
    expect(mail?.bcc).toBeUndefined();
  });

  it('shows what is wrong at its field, and keeps the rest', async () => {
    const wrong = await admin.post(PATH, {
      ...invitation({ email: 'nobody', name: '', role: 'king', projects: 'some' }),
    });
    expect(wrong.status).toBe(400);
    for (const field of ['email', 'name', 'role', 'project_ids'])
      expect([field, errorOf(wrong, field)]).toEqual([field, expect.stringMatching(/^\w/)]);
    expect(errorOf(wrong, 'project_ids')).toBe('Choose a project, or all projects.');
    expect(wrong.text).toContain('value="nobody"');
  });

  it('shows at the address that it is taken', async () => {
    const shown = await admin.post(PATH, invitation({ email: admin.email }));
    expect([shown.status, errorOf(shown, 'email')]).toEqual([
      400,
      'Email address is already used. Choose another one.',
    ]);
  });

  it('gives only projects of the member who invites', async () => {
    const restricted = await person(tenant, 'admin', [tenant.project_id]);
    expect((await restricted.get(`${PATH}/new`)).text).not.toContain('All projects');
    const hidden = await server.project(tenant.organization_id);
    const beyond: Fields[] = [{ projects: 'all' }, { projects: 'some', project_ids: [hidden] }];
    for (const fields of beyond) {
      const sent = invitation(fields);
      const shown = await restricted.post(PATH, sent);
      expect([shown.status, errorOf(shown, 'project_ids')]).toEqual([
        400,
        expect.stringMatching(/^Projects /),
      ]);
      expect(await rowOf(sent.email)).toBeUndefined();
    }
  });
});

describe('a member', () => {
  it('gets another name, role and projects, which ends the sessions', async () => {
    const pat = await person(tenant, 'viewer');
    const fields = { name: 'Grace', role: 'editor', projects: 'some', project_ids: [tenant.project_id] };
    expect(destination(await save(admin, pat.id, fields))).toEqual([303, `${PATH}?done=saved`]);
    expect(await rowOf(pat.email)).toMatchObject({
      name: 'Grace',
      role: 'editor',
      project_ids: [tenant.project_id],
    });
    expect((await pat.get('/manage')).status).toBe(303);
    const { text } = await admin.get(`${PATH}/${pat.id}`);
    expect(text).toContain('value="editor" checked');
    expect(text).toContain(`value="${tenant.project_id}" checked`);
  });

  it('stays signed in if only the name changes, also with projects in another order', async () => {
    const [one, other] = [await server.project(tenant.organization_id), tenant.project_id];
    const pat = await person(tenant, 'viewer', [one, other]);
    const fields = { name: 'Grace', projects: 'some', project_ids: [other, one] };
    expect((await save(admin, pat.id, fields)).status).toBe(303);
    expect((await pat.get('/manage')).status).toBe(200);
  });

  it("shows another member's change, and overwrites nothing", async () => {
    const pat = await person(tenant, 'viewer');
    const { updated_at = '' } = hiddenIn(await admin.get(`${PATH}/${pat.id}`));
    await save(admin, pat.id, { name: 'By Sam' });
    const stale = { updated_at, name: 'By Pat', role: 'admin', projects: 'all' };
    const shown = await admin.post(`${PATH}/${pat.id}`, stale);
    expect([shown.status, summaryOf(shown)]).toEqual([
      409,
      expect.stringContaining('Nothing has been saved'),
    ]);
    for (const name of ['By Sam', 'By Pat']) expect(shown.text).toContain(name);
    for (const action of ['status', 'delete']) {
      const fields = { updated_at, status: 'disabled', step: 'delete' };
      expect(summaryOf(await admin.post(`${PATH}/${pat.id}/${action}`, fields))).toMatch(
        /Nothing has been saved/,
      );
    }
    expect(await rowOf(pat.email)).toMatchObject({ name: 'By Sam', role: 'viewer', status: 'active' });
  });

  it('disables, which ends the sessions, and enables', async () => {
    const pat = await person(tenant, 'viewer');
    expect((await press(admin, pat.id, 'status', { status: 'disabled' })).status).toBe(303);
    expect((await pat.get('/manage')).status).toBe(303);
    expect((await admin.get(`${PATH}/${pat.id}`)).text).not.toContain('Send a new link');
    expect((await press(admin, pat.id, 'status', { status: 'active' })).status).toBe(303);
    expect((await rowOf(pat.email))?.status).toBe('active');
    const types = (await eventsOf(pat.id)).map(({ type, via }) => `${type} ${via}`);
    expect(types.slice(-2)).toEqual(['member.updated console', 'member.updated console']);
  });

  it('deletes after a question', async () => {
    const pat = await person(tenant, 'viewer');
    const question = await admin.get(`${PATH}/${pat.id}/delete`);
    expect(question.text).toContain('Delete Pat &lt;viewer>?');
    const again = await admin.post(`${PATH}/${pat.id}/delete`, hiddenIn(question));
    expect([again.status, again.text]).toEqual([200, expect.stringContaining('Delete Pat')]);
    expect(await rowOf(pat.email)).toBeDefined();
    const deleted = await admin.post(`${PATH}/${pat.id}/delete`, { ...hiddenIn(question), step: 'delete' });
    expect(destination(deleted)).toEqual([303, `${PATH}?done=deleted`]);
    expect(await rowOf(pat.email)).toBeUndefined();
    expect((await pat.get('/manage')).status).toBe(303);
  });

  it('gets a new link by mail, which no screen contains', async () => {
    const pat = await person(tenant, 'viewer');
    const shown = await press(admin, pat.id, 'link');
    expect(destination(shown)).toEqual([303, `${PATH}?done=link`]);
    await until(async () =>
      (await mailTo(pat.email)).some(({ subject }) => subject?.includes('link to sign in')),
    );
    expect((await admin.get(`${PATH}?done=link`)).text).not.toContain('ml_');
  });

  it('hides members of another organization, or with other projects', async () => {
    const restricted = await person(tenant, 'admin', [tenant.project_id]);
    const strangers = [await person(await server.tenant(), 'viewer'), await person(tenant, 'viewer')];
    for (const { id, email } of strangers) {
      for (const path of [`${PATH}/${id}`, `${PATH}/${id}/delete`])
        expect((await restricted.get(path)).status).toBe(404);
      const fields = { updated_at: '', name: 'x', status: 'disabled', step: 'delete', projects: 'all' };
      for (const path of ['', '/status', '/delete', '/link'])
        expect([path, (await restricted.post(`${PATH}/${id}${path}`, fields)).status]).toEqual([path, 404]);
      expect(await rowOf(email)).toMatchObject({ name: 'Pat <viewer>', status: 'active' });
      expect((await restricted.get(PATH)).text).not.toContain(email);
    }
  });
});

describe('the last admin', () => {
  it('keeps the role, is not disabled or deleted, in words', async () => {
    const alone: Tenant = await server.tenant();
    const last = await person(alone, 'admin');
    const demoted = await save(last, last.id, { role: 'viewer' });
    expect([demoted.status, errorOf(demoted, 'role')]).toEqual([
      400,
      expect.stringContaining('last active admin'),
    ]);
    const disabled = await press(last, last.id, 'status', { status: 'disabled' });
    const deleted = await press(last, last.id, 'delete', { step: 'delete' });
    for (const shown of [disabled, deleted])
      expect([shown.status, summaryOf(shown)]).toEqual([400, expect.stringContaining('last active admin')]);
    expect(await rowOf(last.email)).toMatchObject({ role: 'admin', status: 'active' });
    expect((await ask(PATH, { cookie: last.cookie })).status).toBe(200);
  });
});

describe('with a mail server', () => {
  const mailing = useTestServer({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'status@example.com' });
  const own = useTenant(mailing);
  const people = useConsole(mailing);

  it('confirms where the invitation goes', async () => {
    const { get, post } = await people.person(own, 'admin');
    const fields = invitation();
    const invited = await post(PATH, fields);
    expect((await get(invited.headers.get('location') ?? '')).text).toContain(
      `<p class="notice" role="status">An email with a link is on its way to ${fields.email}.</p>`,
    );
  });
});

describe('without a mail server', () => {
  const mailless = useTestServer();
  const own = useTenant(mailless);
  const people = useConsole(mailless);

  it('shows how to hand a link over', async () => {
    const [one, pat] = [await people.person(own, 'admin'), await people.person(own, 'viewer')];
    expect((await one.get(PATH)).text).toContain('cannot send mail');
    expect((await one.get(`${PATH}/${pat.id}`)).text).not.toContain('Send a new link');
    const { status, text } = await one.post(`${PATH}/${pat.id}/link`);
    expect([status, text]).toEqual([400, expect.stringContaining('cannot send mail')]);
  });
});
