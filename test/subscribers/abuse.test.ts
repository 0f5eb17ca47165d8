import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { PeriodicTasks } from '../../src/platform/tasks/periodic-tasks.js';
import { isSafeAddress } from '../../src/mail/mail-message.js';
import { SecretsService } from '../../src/platform/secrets/secrets.service.js';
import { isEmailAddress } from '../../src/subscribers/email-address.js';
import { SubscriptionTokens } from '../../src/subscribers/subscription-tokens.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

const count = async (table: string, where = 'true', values: unknown[] = []): Promise<number> =>
  (await server.app.get(DataSource).query<unknown[]>(`SELECT FROM ${table} WHERE ${where}`, values)).length;

/** Stores forms, also with addresses that the service does not accept. */
async function store(status_page_id: string, emails: string[]): Promise<void> {
  await server.sql(
    `INSERT INTO subscription_requests (id, organization_id, project_id, status_page_id, email, detail, maintenances)
     SELECT gen_random_uuid(), $1, $2, $3, email, 'all', true FROM unnest($4::text[]) AS email`,
    [tenant.organization_id, tenant.project_id, status_page_id, emails],
  );
}

/** Handles all forms as several processes do. */
async function handle(): Promise<void> {
  const { all: tasks } = server.app.get(PeriodicTasks, { strict: false });
  const task = tasks.find(({ name }) => name === 'subscription requests');
  const work = async () => {
    while (await task?.run());
  };
  await Promise.all([work(), work(), work()]);
  expect(await count('subscription_requests')).toBe(0);
}

describe('a flood of forms', () => {
  it('for one address sends 5 confirmations, also for several pages, spellings and processes', async () => {
    const pages = [await server.page(tenant), await server.page(tenant), await server.page(tenant)];
    const name = `victim-${randomUUID()}`;
    const spellings = [
      `${name}@bücher.example`,
      `${name}@XN--BCHER-KVA.example`,
      `${name.toUpperCase()}@bücher.example`,
    ];
    for (const { id } of pages) await store(id, [...spellings, ...spellings, ...spellings, ...spellings]);
    const before = await count('deliveries');
    await handle();
    expect((await count('deliveries')) - before).toBe(5);
    expect(
      await count('subscribers', 'email_key = $1', [`${name}@xn--bcher-kva.example`]),
    ).toBeLessThanOrEqual(3);
  });

  it('with invalid addresses adds no subscriber and sends nothing', async () => {
    const { id } = await server.page(tenant);
    const before = [await count('deliveries'), await count('subscribers')];
    await store(
      id,
      Array.from({ length: 300 }, (_, index) => INVALID[index % INVALID.length] ?? ''),
    );
    await handle();
    expect([await count('deliveries'), await count('subscribers')]).toEqual(before);
  });
});

/** Texts that would change a header, an SMTP command or the recipient. */
const INVALID = [
  'a@example.com\r\nBcc: b@example.com',
  'a@example.com\nRCPT TO:<b@example.com>',
  'a@example.com, b@example.com',
  'a@example.com;b@example.com',
  '"a@b"@example.com',
  '<a@example.com>',
  'Name <a@example.com>',
  'a@example.com>',
  'a@b@example.com',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a @example.com',
  'a\u2028@example.com',
  'a\u0085@example.com',
  'a@example.com ',
  'a@-example.com',
  'a@exa mple.com',
  'a@example..com',
  '(comment)a@example.com',
  'a:b@example.com',
  'a\\@example.com',
  '@example.com',
  'example.com',
];

describe('addresses', () => {
  it.each(INVALID)('exclude %j', (email) => {
    expect(isEmailAddress(email)).toBe(false);
  });

  it('never contain characters that a header or an SMTP command interprets', () => {
    const letters = [
      ...'a@.-+\r\n\t <>()[],:;"\\\'%!|\u0000\u007F\u0085\u00A0\u200B\u202E\u2028\uFEFFéß漢\uD800',
    ];
    let seed = 1;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    const one = () => letters[next() % letters.length] ?? '';
    const emails = Array.from({ length: 10_000 }, () => {
      const local = Array.from({ length: next() % 4 }, one).join('');
      return `a${local}@example${one()}.com`;
    });
    const accepted = emails.filter(isEmailAddress);
    expect(accepted.length).toBeGreaterThan(100);
    expect(accepted.filter((email) => !isSafeAddress(email))).toEqual([]);
  });
});

describe('tokens', () => {
  it('work for their purpose only, and cannot be forged from other signatures of the service', () => {
    const tokens = server.app.get(SubscriptionTokens, { strict: false });
    const secrets = server.app.get(SecretsService, { strict: false });
    const id = randomUUID();
    const forge = (purpose: string, text = id) =>
      `st_${Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), secrets.sign(purpose, text).subarray(0, 24)]).toString('base64url')}`;
    expect(tokens.verify('manage', forge('subscription:manage'))).toBe(id);
    const others = ['subscription:confirm', 'subscription', 'subscriber_email', 'manage', ''].map((purpose) =>
      forge(purpose),
    );
    for (const token of [
      ...others,
      forge('subscription:manage', randomUUID()),
      '',
      'st_',
      `st_${'A'.repeat(54)}`,
    ])
      expect(tokens.verify('manage', token)).toBeUndefined();
    expect(tokens.verify('confirm', tokens.create('manage', id))).toBeUndefined();
  });
});
