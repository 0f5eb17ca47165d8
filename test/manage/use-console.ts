import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { MemberSessions } from '../../src/members/member-sessions.js';
import { MembersService } from '../../src/members/members.service.js';
import type { Role } from '../../src/members/roles.js';
import { actorIn } from '../support/actors.js';
import type { Tenant, TestServer } from '../support/server.js';

/** Response of the console. */
export interface Shown {
  status: number;
  headers: Headers;
  text: string;
}

/** Fields of a form; several values for a list. */
export type Fields = Record<string, string | string[]>;

/** A member in a browser with a session. */
export interface Person {
  id: string;
  email: string;
  cookie: string;
  get(path: string): Promise<Shown>;
  /** Sends a form with the token of the session. */
  post(path: string, fields?: Fields, headers?: Record<string, string>): Promise<Shown>;
}

/** Returns the value of a form's input. */
export function valueIn({ text }: Shown, name: string): string {
  const [, value] = new RegExp(`name="${name}" value="([^"]*)"`).exec(text) ?? [];
  if (value === undefined) throw new Error(`no field ${name} in ${text.slice(0, 3_000)}`);
  return value;
}

/** Returns all hidden fields of a page, as the browser sends them. */
export function hiddenIn({ text }: Shown): Fields {
  const fields: Fields = {};
  for (const [, name = '', value = ''] of text.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  ))
    fields[unescape(name)] = unescape(value);
  return fields;
}

function unescape(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Returns a form as browsers send it. */
export function encode(fields: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  );
}

/** Reviews and publishes a form. Returns the path of the screen that follows, without its confirmation. */
export async function publish(by: Person, path: string, fields: Fields): Promise<string> {
  const reviewed = await by.post(path, { ...fields, step: 'review' });
  expect([reviewed.status, reviewed.text]).toEqual([200, expect.stringContaining('Nothing has been sent')]);
  const published = await by.post(path, { ...hiddenIn(reviewed), step: 'publish' });
  expect(published.status).toBe(303);
  const [location = ''] = (published.headers.get('location') ?? '').split('?');
  return location;
}

/** Members of a tenant, and requests to the console of the server. */
export function useConsole(server: TestServer) {
  const ask = async (
    path: string,
    {
      cookie,
      form,
      headers,
      method,
    }: { cookie?: string; form?: Fields; headers?: Record<string, string>; method?: string } = {},
  ): Promise<Shown> => {
    const response = await fetch(server.url + path, {
      redirect: 'manual',
      method: method ?? (form ? 'POST' : 'GET'),
      headers: { ...(cookie !== undefined && { Cookie: cookie }), ...headers },
      ...(form && { body: encode(form) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** Creates an active member. */
  const member = async (
    tenant: Pick<Tenant, 'organization_id'>,
    role: Role,
    project_ids: string[] | null = null,
  ) => {
    const email = `${randomUUID()}@example.com`;
    const { organization_id } = tenant;
    const { id } = await server.app
      .get(MembersService, { strict: false })
      .create(actorIn(organization_id), { email, name: `Pat <${role}>`, role, project_ids });
    await server.sql("UPDATE members SET status = 'active', updated_at = now() WHERE id = $1", [id]);
    return { id, email, organization_id };
  };

  /** Creates a member with a session in a browser. */
  const person = async (
    tenant: Pick<Tenant, 'organization_id'>,
    role: Role = 'responder',
    project_ids: string[] | null = null,
  ): Promise<Person> => {
    const { id, email, organization_id } = await member(tenant, role, project_ids);
    const started = await server.app
      .get(MemberSessions, { strict: false })
      .start({ id, organization_id }, { user_agent: 'Test', request_id: null });
    const cookie = `manage=${started?.token}`;
    let token: string | undefined;
    return {
      id,
      email,
      cookie,
      get: (path) => ask(path, { cookie }),
      post: async (path, fields = {}, headers = {}) => {
        token ??= valueIn(await ask('/manage', { cookie }), 'token');
        return ask(path, { cookie, form: { token, ...fields }, headers });
      },
    };
  };

  return { ask, member, person };
}
