import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SnsHttp } from '../../src/subscribers/bounces/sns-http.js';
import { RecipientsService } from '../../src/subscribers/recipients.service.js';
import { expectProblem } from '../support/expectations.js';
import type { Answer, One, Tenant } from '../support/server.js';
import { useResource } from '../support/use-resource.js';
import { FakeSns } from './sns.js';

interface Recorded {
  suppressed: number;
  counted: number;
}

const { server, tenant } = useResource<Recorded>('/v1/receivers');
const sns = new FakeSns();

beforeAll(() => sns.serve(server.app.get(SnsHttp, { strict: false })));
afterAll(() => sns.close());

const query = (text: string, values: unknown[]) =>
  server.app.get(DataSource).query<Record<string, unknown>[]>(text, values);

/** Adds a subscriber. Returns its address. */
async function subscriber(columns: Record<string, unknown> = {}, owner: Tenant = tenant): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const { organization_id, project_id } = owner;
  const row = {
    id: randomUUID(),
    organization_id,
    project_id,
    status_page_id: (await server.page(owner)).id,
    email,
    email_key: email,
    status: 'active',
    source: 'api',
    confirmed_at: new Date(),
    ...columns,
  };
  const names = Object.keys(row);
  await query(
    `INSERT INTO subscribers (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(row),
  );
  return email;
}

const stateOf = (email: string) =>
  query('SELECT status, suppressed_reason FROM subscribers WHERE email = $1 ORDER BY status', [email]);

const report = (json: unknown, key = tenant.key): Promise<Answer<One<Recorded>>> =>
  server.ask('/v1/receivers/bounces', { method: 'POST', key, json });

/** Sends a message of SNS as SNS does: with Basic authentication, as text. */
const notify = (message: Record<string, string>): Promise<Answer<One<Recorded>>> =>
  server.ask('/v1/receivers/bounces', {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`sns:${tenant.key}`).toString('base64')}`,
      'Content-Type': 'text/plain; charset=UTF-8',
    },
    body: JSON.stringify(message),
  });

const ses = (message: object, version = '2') => sns.message({ Message: JSON.stringify(message) }, version);

const bounce = (email: string, bounceType = 'Permanent') => ({
  notificationType: 'Bounce',
  bounce: { bounceType, bouncedRecipients: [{ emailAddress: email, status: '5.1.1' }] },
});

const NONE = { suppressed: 0, counted: 0 };

/** Moves the bounces of an address to the day before. */
const nextDay = (email: string) =>
  query(
    `UPDATE subscribers SET last_bounced_at = last_bounced_at - interval '1 day',
                            last_sent_at = last_sent_at - interval '1 day' WHERE email = $1`,
    [email],
  );

/** Reports something on three days. Returns the results. */
async function onThreeDays(email: string, send: (day: number) => Promise<Answer<One<Recorded>>>) {
  const results: unknown[] = [];
  for (const day of [1, 2, 3]) {
    const { status, body } = await send(day);
    results.push(status === 200 ? body.data : status);
    await nextDay(email);
  }
  return results;
}

const suppressed = (suppressed_reason: string) => [{ status: 'suppressed', suppressed_reason }];
const ACTIVE = [{ status: 'active', suppressed_reason: null }];

describe('POST /v1/receivers/bounces', () => {
  it('suppresses every subscriber with the address, and returns only numbers', async () => {
    const email = await subscriber();
    await subscriber({ email, email_key: email });
    const answer = await report({ email: email.toUpperCase(), type: 'hard' });
    expect([answer.status, answer.body]).toEqual([200, { data: { suppressed: 2, counted: 0 } }]);
    expect(await stateOf(email)).toEqual([...suppressed('bounced'), ...suppressed('bounced')]);
    expect((await report({ email, type: 'hard' })).body.data).toEqual({ suppressed: 0, counted: 0 });
  });

  it('suppresses after a complaint, also if the address has bounced, but keeps the reason of the operator', async () => {
    const email = await subscriber();
    await report({ email, type: 'hard' });
    expect((await report({ email, type: 'complaint' })).body.data).toEqual({ suppressed: 1, counted: 0 });
    expect(await stateOf(email)).toEqual(suppressed('complained'));
    const manual = await subscriber({ status: 'suppressed', suppressed_reason: 'manual' });
    await report({ email: manual, type: 'complaint' });
    expect(await stateOf(manual)).toEqual(suppressed('manual'));
  });

  it('suppresses after the second soft bounce in a row on another day', async () => {
    const recipients = server.app.get(RecipientsService, { strict: false });
    const email = await subscriber();
    const [{ id = '' } = {}] = await query('SELECT id FROM subscribers WHERE email = $1', [email]);
    const mail = () => recipients.delivered([String(id)]);
    const soft = async () => (await report({ email, type: 'soft' })).body.data;
    await mail();
    expect(await soft()).toEqual({ suppressed: 0, counted: 1 });
    expect(await soft()).toEqual({ suppressed: 0, counted: 1 });
    await nextDay(email);
    await mail(); // arrives
    await nextDay(email);
    await mail();
    expect(await soft()).toEqual({ suppressed: 0, counted: 1 });
    await nextDay(email);
    await mail(); // bounces
    expect(await soft()).toEqual({ suppressed: 1, counted: 0 });
    expect(await stateOf(email)).toEqual(suppressed('bounced'));
  });

  it('counts the soft bounce of a message once, also if other messages bounce in between', async () => {
    const email = await subscriber();
    const soft = async (message_id: string) => (await report({ email, type: 'soft', message_id })).body.data;
    expect([await soft('a'), await soft('b')]).toEqual([
      { suppressed: 0, counted: 1 },
      { suppressed: 0, counted: 1 },
    ]);
    await nextDay(email);
    expect([await soft('a'), await soft('b')]).toEqual([NONE, NONE]);
    expect(await stateOf(email)).toEqual(ACTIVE);
    expect(await soft('c')).toEqual({ suppressed: 1, counted: 0 });
  });

  it('lifts what soft bounces have caused after a delivery', async () => {
    const email = await subscriber();
    await subscriber({ email, email_key: email, status: 'pending', confirmed_at: null });
    const send = (type: string) => report({ email, type });
    await send('soft');
    expect((await send('delivered')).body.data).toEqual(NONE);
    await nextDay(email);
    expect((await send('soft')).body.data).toEqual({ suppressed: 0, counted: 2 });
    await nextDay(email);
    expect((await send('soft')).body.data).toEqual({ suppressed: 2, counted: 0 });
    expect((await send('delivered')).body.data).toEqual(NONE);
    expect(await stateOf(email)).toEqual([...ACTIVE, { status: 'pending', suppressed_reason: null }]);
    expect((await send('soft')).body.data).toEqual({ suppressed: 0, counted: 2 });
  });

  it.each([
    ['a hard bounce', ['hard'], 'bounced'],
    ['a hard bounce after soft ones', ['soft', 'soft', 'hard'], 'bounced'],
    ['a complaint', ['complaint'], 'complained'],
    ['a complaint after soft bounces', ['soft', 'soft', 'complaint'], 'complained'],
  ])('keeps the suppression by %s after a delivery', async (_, types, reason) => {
    const email = await subscriber();
    for (const type of types) {
      await report({ email, type });
      await nextDay(email);
    }
    await report({ email, type: 'delivered' });
    expect(await stateOf(email)).toEqual(suppressed(reason));
  });

  it('lifts a suppression by two rejections of a mail server after a delivery, but none by a final one', async () => {
    const recipients = server.app.get(RecipientsService, { strict: false });
    for (const isFinal of [false, true]) {
      const email = await subscriber();
      const [{ id = '' } = {}] = await query('SELECT id FROM subscribers WHERE email = $1', [email]);
      await recipients.refused(String(id), isFinal);
      await nextDay(email);
      await recipients.refused(String(id), isFinal);
      expect(await stateOf(email)).toEqual(suppressed('bounced'));
      await report({ email, type: 'delivered' });
      expect(await stateOf(email)).toEqual(isFinal ? suppressed('bounced') : ACTIVE);
    }
  });

  it('ignores unknown addresses, and subscribers that the key cannot access', async () => {
    const other = await server.tenant();
    const foreign = await subscriber({}, other);
    const own = await subscriber();
    const narrow = await server.key(tenant.organization_id, {
      project_ids: [await server.project(tenant.organization_id)],
      scopes: ['subscribers:write'],
    });
    expect((await report({ email: foreign, type: 'hard' })).body.data).toEqual(NONE);
    expect((await report({ email: own, type: 'hard' }, narrow.key)).body.data).toEqual(NONE);
    expect((await report({ email: 'unknown@example.com', type: 'hard' })).body.data).toEqual(NONE);
    expect([await stateOf(foreign), await stateOf(own)]).toEqual([ACTIVE, ACTIVE]);
  });

  it.each<[object, { code: string; pointer: string }[]]>([
    [
      {},
      [
        { code: 'required', pointer: '#/email' },
        { code: 'required', pointer: '#/type' },
      ],
    ],
    [
      { email: 'a b', type: 'gone' },
      [
        { code: 'invalid_format', pointer: '#/email' },
        { code: 'invalid_format', pointer: '#/type' },
      ],
    ],
    [{ email: 1, type: 'hard' }, [{ code: 'invalid_type', pointer: '#/email' }]],
    [
      { email: 'a@example.com', type: 'soft', message_id: 1 },
      [{ code: 'invalid_type', pointer: '#/message_id' }],
    ],
    [
      { email: 'a@example.com', type: 'soft', message_id: '' },
      [{ code: 'too_short', pointer: '#/message_id' }],
    ],
    [{ email: 'a@example.com', type: 'hard', page: 1 }, [{ code: 'unknown_field', pointer: '#/page' }]],
    [bounce('a@example.com'), [{ code: 'required', pointer: '#/Signature' }]],
    [{ RecordType: 'Bounce', Type: 'HardBounce' }, [{ code: 'required', pointer: '#/Email' }]],
    [{ 'event-data': [] }, [{ code: 'invalid_type', pointer: '#/event-data' }]],
    [{ 'event-data': { event: 'failed' } }, [{ code: 'required', pointer: '#/event-data/recipient' }]],
  ])('rejects %j', async (json, errors) => {
    expect(expectProblem(await report(json), 400, 'validation_failed').errors).toMatchObject(errors);
  });

  it.each([
    ['HardBounce', suppressed('bounced')],
    ['BadEmailAddress', suppressed('bounced')],
    ['ManuallyDeactivated', suppressed('bounced')],
    ['SpamComplaint', suppressed('complained')],
  ])('suppresses after %s of Postmark', async (Type, state) => {
    const Email = await subscriber();
    const RecordType = Type === 'SpamComplaint' ? Type : 'Bounce';
    const { body } = await report({ RecordType, Type, TypeCode: 1, Email, Inactive: true });
    expect(body.data).toEqual({ suppressed: 1, counted: 0 });
    expect(await stateOf(Email)).toEqual(state);
  });

  it.each([
    'SoftBounce',
    'Transient',
    'DnsError',
    'Blocked',
    'SpamNotification',
    'Undeliverable',
    'AutoResponder',
    'AddressChange',
    'Unsubscribe',
    'NewType',
  ])('never counts %s of Postmark', async (Type) => {
    const Email = await subscriber();
    const events = await onThreeDays(Email, (day) =>
      report({ RecordType: 'Bounce', Type, Email, MessageID: `${day}` }),
    );
    expect(events).toEqual([NONE, NONE, NONE]);
    expect(await stateOf(Email)).toEqual(ACTIVE);
  });

  it.each([
    { event: 'failed', severity: 'temporary', reason: 'greylisted' },
    { event: 'failed', severity: 'temporary', reason: 'generic' },
    { event: 'failed', severity: 'temporary', reason: 'bounce' },
    { event: 'opened' },
    { event: 'new_event' },
  ])('never counts %j of Mailgun', async (data) => {
    const recipient = await subscriber();
    const events = await onThreeDays(recipient, (day) => {
      const message = { headers: { 'message-id': `${day}@example.org` } };
      return report({ 'event-data': { ...data, recipient, message } });
    });
    expect(events).toEqual([NONE, NONE, NONE]);
    expect(await stateOf(recipient)).toEqual(ACTIVE);
  });

  it('counts a message once that Mailgun has given up, and lifts its effect after a delivery', async () => {
    const recipient = await subscriber();
    const send = async (event: object, id: string) => {
      const message = { headers: { 'message-id': id } };
      return (await report({ 'event-data': { ...event, recipient, message } })).body.data;
    };
    const failed = { event: 'failed', severity: 'permanent', reason: 'old' };
    expect(await send(failed, 'a')).toEqual({ suppressed: 0, counted: 1 });
    await nextDay(recipient);
    expect(await send(failed, 'a')).toEqual(NONE);
    expect(await send(failed, 'b')).toEqual({ suppressed: 1, counted: 0 });
    expect(await send({ event: 'delivered' }, 'c')).toEqual(NONE);
    expect(await stateOf(recipient)).toEqual(ACTIVE);
  });

  it('lifts the effect of soft bounces after a delivery by Postmark', async () => {
    const email = await subscriber();
    await onThreeDays(email, () => report({ email, type: 'soft' }));
    expect(await stateOf(email)).toEqual(suppressed('bounced'));
    await report({ RecordType: 'Delivery', Recipient: email, MessageID: 'a' });
    expect(await stateOf(email)).toEqual(ACTIVE);
  });

  it.each([
    // Without `Email`, for example if a recipient unsubscribes from a stream.
    { RecordType: 'Bounce', Type: 'Unsubscribe', TypeCode: 16, MessageID: 'a', MessageStream: 'outbound' },
    { RecordType: 'Bounce' },
    { RecordType: 'SubscriptionChange', Recipient: 'a@example.com', SuppressSending: true },
    { RecordType: 'Delivery' },
    { RecordType: 1 },
    { 'event-data': {} },
    { 'event-data': { event: 'delivered' } },
    { 'event-data': { event: 'failed', severity: 'temporary', 'delivery-status': { 'retry-seconds': 300 } } },
  ])('accepts %j, which needs no further fields', async (json) => {
    const { status, body } = await report(json);
    expect([status, body.data]).toEqual([200, NONE]);
  });

  it.each([
    [{ event: 'failed', severity: 'permanent', reason: 'bounce' }, suppressed('bounced')],
    [{ event: 'failed', severity: 'permanent', reason: 'old' }, ACTIVE],
    [{ event: 'failed', severity: 'permanent', reason: 'suppress-complaint' }, suppressed('complained')],
    [{ event: 'complained' }, suppressed('complained')],
    [{ event: 'delivered' }, ACTIVE],
  ])('accepts %j of Mailgun', async (data, state) => {
    const recipient = await subscriber();
    const signature = { timestamp: '1529006854', token: 'a', signature: 'b' };
    expect((await report({ signature, 'event-data': { ...data, recipient } })).status).toBe(200);
    expect(await stateOf(recipient)).toEqual(state);
  });
});

describe('Amazon SNS', () => {
  it('reports bounces and complaints, with both versions of the signature', async () => {
    const email = await subscriber();
    expect((await notify(ses(bounce(email, 'Undetermined'), '1'))).body.data).toEqual({
      suppressed: 0,
      counted: 1,
    });
    expect((await notify(ses(bounce(email)))).body.data).toEqual({ suppressed: 1, counted: 0 });
    const complaint = { complainedRecipients: [{ emailAddress: email }], complaintFeedbackType: 'abuse' };
    const event = { eventType: 'Complaint', complaint };
    expect(
      (await notify(ses({ ...event, complaint: { ...complaint, complaintFeedbackType: 'not-spam' } })))
        .status,
    ).toBe(200);
    expect(await stateOf(email)).toEqual(suppressed('bounced'));
    await notify(sns.message({ Subject: 'Complaint', Message: JSON.stringify(event) }));
    expect(await stateOf(email)).toEqual(suppressed('complained'));
  });

  it.each(['General', 'MailboxFull', 'MessageTooLarge', 'ContentRejected', 'CustomTimeoutExceeded'])(
    'never counts a transient bounce of the type %s, such as out of office',
    async (bounceSubType) => {
      const email = await subscriber();
      const { bounce: transient, ...event } = bounce(email, 'Transient');
      const results = await onThreeDays(email, (day) =>
        notify(ses({ ...event, bounce: { ...transient, bounceSubType }, mail: { messageId: `${day}` } })),
      );
      expect(results).toEqual([NONE, NONE, NONE]);
      expect(await stateOf(email)).toEqual(ACTIVE);
    },
  );

  it('counts a message once, and reports deliveries', async () => {
    const email = await subscriber();
    const event = (messageId: string) =>
      notify(ses({ ...bounce(email, 'Undetermined'), mail: { messageId } }));
    expect((await event('a')).body.data).toEqual({ suppressed: 0, counted: 1 });
    await nextDay(email);
    expect((await event('a')).body.data).toEqual(NONE);
    expect((await event('b')).body.data).toEqual({ suppressed: 1, counted: 0 });
    await notify(ses({ eventType: 'Delivery', delivery: { recipients: [email] } }));
    expect(await stateOf(email)).toEqual(ACTIVE);
  });

  it.each([
    { eventType: 'Delivery' },
    { eventType: 'DeliveryDelay', deliveryDelay: { delayType: 'MailboxFull' } },
    { eventType: 'NewEvent' },
    { eventType: 'Bounce', bounce: { bounceType: 'Transient', bounceSubType: 'General' } },
    { eventType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam' } },
  ])('may report %j', async (event) => {
    const { status, body } = await notify(ses(event));
    expect([status, body.data]).toEqual([200, NONE]);
  });

  it('may send other messages', async () => {
    const { body } = await notify(sns.message({ Message: 'Successfully validated SNS topic' }));
    expect(body.data).toEqual(NONE);
  });

  it('gets its subscription confirmed', async () => {
    const message = sns.message({
      Type: 'SubscriptionConfirmation',
      Message: 'You have chosen to subscribe',
      Token: 'abc',
      SubscribeURL: 'https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=abc',
    });
    const before = sns.requests.length;
    expect((await notify({ ...message, Token: 'abd' })).status).toBe(400);
    expect(sns.requests.slice(before).filter((url) => url.includes('Action'))).toEqual([]);
    expect((await notify(message)).status).toBe(200);
    expect(sns.requests.at(-1)).toBe('/?Action=ConfirmSubscription&Token=abc');
  });

  it('must have signed the message', async () => {
    const email = await subscriber();
    const message = ses(bounce(email));
    const { Signature: _, ...unsigned } = message;
    const changes: [Record<string, string>, string][] = [
      [{ ...message, Message: JSON.stringify(bounce('other@example.com')) }, '#/Signature'],
      [{ ...message, Subject: 'added' }, '#/Signature'],
      [{ ...message, SignatureVersion: '1' }, '#/Signature'],
      [{ ...message, SignatureVersion: '3' }, '#/SignatureVersion'],
      [{ ...message, Type: 'constructor' }, '#/Type'],
      [{ ...message, Signature: '' }, '#/Signature'],
      [unsigned, '#/Signature'],
      [{ ...message, SigningCertURL: 'https://sns.us-east-1.amazonaws.com/expired.pem' }, '#/SigningCertURL'],
      [{ ...message, SigningCertURL: 'https://sns.us-east-1.amazonaws.com/text.pem' }, '#/SigningCertURL'],
    ];
    for (const [changed, pointer] of changes) {
      const { errors } = expectProblem(await notify(changed), 400, 'validation_failed');
      expect([changed, errors]).toMatchObject([changed, [{ pointer }]]);
    }
    expect(await stateOf(email)).toEqual(ACTIVE);
  });

  it('remains the only host to which the service connects', async () => {
    const before = sns.requests.length;
    for (const url of [
      'http://sns.us-east-1.amazonaws.com/certificate.pem',
      'https://sns.us-east-1.amazonaws.com:8443/certificate.pem',
      'https://user@sns.us-east-1.amazonaws.com/certificate.pem',
      'https://sns.us-east-1.amazonaws.com.example.com/certificate.pem',
      'https://sns.us-east-1.amazonaws.com.cn.example.com/certificate.pem',
      'https://bucket.s3.amazonaws.com/certificate.pem',
      'https://sns.us-east-1.amazonaws.com@127.0.0.1/certificate.pem',
      'https://xsns.us-east-1.amazonaws.com/certificate.pem',
      'https://127.0.0.1/certificate.pem',
      'file:///etc/passwd',
      'certificate.pem',
    ])
      for (const message of [
        sns.message({ Message: '{}', SigningCertURL: url }),
        sns.message({ Type: 'SubscriptionConfirmation', Message: '{}', Token: 'a', SubscribeURL: url }),
      ])
        expectProblem(await notify(message), 400, 'validation_failed');
    expect(sns.requests.slice(before).filter((url) => url !== '/certificate.pem')).toEqual([]);
  });

  it('gets 503 while its certificate is unreachable, and after a redirect', async () => {
    for (const name of ['missing', 'moved']) {
      const SigningCertURL = `https://sns.cn-north-1.amazonaws.com.cn/${name}.pem`;
      expectProblem(await notify(sns.message({ Message: '{}', SigningCertURL })), 503, 'unavailable');
    }
  });
});
