import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAdapterHost } from '@nestjs/core';
import { simpleParser } from 'mailparser';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../src/mail/mail-message.js';
import { MailTransport } from '../../src/mail/mail-transport.js';
import { Env } from '../../src/platform/config/env.js';
import { PublicUrl } from '../../src/platform/config/public-url.js';
import { freePort } from '../support/free-port.js';
import { until } from '../support/server.js';
import { isThorough } from '../support/thorough.js';
import { signWith, verifyDkim } from './dkim.js';
import { type Refusal, type Sink, startSink } from './sink.js';

const MESSAGE: MailMessage = {
  to: 'Jane.Doe@example.org',
  page_name: 'Acme Cloud',
  subject: '[Acme Cloud] Degraded performance: Slow responses from the API',
  text: 'Slow responses',
  html: '<p>Slow responses</p>',
  key: 'event subscriber',
  thread: 'incident subscriber',
  unsubscribe: `https://status.example.com/status/acme/unsubscribe/st_${'A'.repeat(54)}`,
};

let sink: Sink;
let directory: string;
let log: string;
const opened: MailTransport[] = [];

beforeAll(async () => {
  sink = await startSink();
});
afterAll(() => sink.close());

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mail-'));
  log = '';
  sink.received.length = 0;
  sink.refusal = undefined;
  sink.next = undefined;
});
afterEach(() => {
  for (const transport of opened.splice(0)) transport.onApplicationShutdown();
  rmSync(directory, { recursive: true });
});

async function open(variables: Partial<Env>): Promise<MailTransport> {
  const env = Object.assign(new Env(), { PUBLIC_URL: 'https://status.example.com', ...variables });
  const logger = pino({}, { write: (line: string) => void (log += line) });
  const transport = new MailTransport(env, new PublicUrl(env, new HttpAdapterHost()), logger);
  await transport.onModuleInit();
  opened.push(transport);
  return transport;
}

const toSink = (variables: Partial<Env> = {}) =>
  open({ SMTP_URL: sink.url, MAIL_FROM: 'Acme Status <status@example.com>', ...variables });

const parse = (index = 0) => simpleParser(sink.received[index]?.message ?? '');

describe('mail to SMTP_URL', () => {
  it('contains the headers of bulk mail, one-click unsubscription and threads', async () => {
    expect(await (await toSink()).send(MESSAGE)).toEqual({ kind: 'accepted' });
    expect(sink.received[0]?.to).toEqual([MESSAGE.to]);
    const { subject, from, text, html, headers, headerLines, inReplyTo, references } = await parse();
    expect({ subject, from: from?.text, text: text?.trim(), html }).toEqual({
      subject: MESSAGE.subject,
      from: '"Acme Status" <status@example.com>',
      text: MESSAGE.text,
      html: MESSAGE.html,
    });
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('precedence')).toBe('bulk');
    const line = (key: string) => headerLines.find((one) => one.key === key)?.line.replaceAll(/\s+/g, ' ');
    expect(line('list-unsubscribe')).toBe(`List-Unsubscribe: <${MESSAGE.unsubscribe}>`);
    expect(line('list-unsubscribe-post')).toBe('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(inReplyTo).toMatch(/^<[0-9a-f]{40}@example\.com>$/);
    expect(references).toBe(inReplyTo);
  });

  it.each([
    ['Acme Cloud', 'Acme Cloud'],
    ['"Acme", <a@b.c>\r\nBcc: d@e.f', '"Acme", <a@b.c> Bcc: d@e.f'],
  ])('names the page %j as its sender if MAIL_FROM is an address alone', async (page_name, name) => {
    const transport = await toSink({ MAIL_FROM: 'status@example.com' });
    expect(await transport.send({ ...MESSAGE, page_name })).toEqual({ kind: 'accepted' });
    const { from, bcc } = await parse();
    expect([from?.value, bcc]).toEqual([[{ address: 'status@example.com', name }], undefined]);
  });

  it('keeps its Message-ID at each attempt, and another one for another key', async () => {
    const transport = await toSink();
    for (const key of ['one', 'one', 'other']) await transport.send({ ...MESSAGE, key });
    const [first, second, other] = await Promise.all([parse(0), parse(1), parse(2)]);
    expect(second.messageId).toBe(first.messageId);
    expect(other.messageId).not.toBe(first.messageId);
    expect(other.inReplyTo).toBe(first.inReplyTo);
  });

  it('contains a valid DKIM signature that covers both headers of List-Unsubscribe', async () => {
    await (await toSink(signWith(join(directory, 'dkim.pem')))).send(MESSAGE);
    const message = sink.received[0]?.message ?? Buffer.alloc(0);
    expect(await verifyDkim(message)).toEqual(['pass']);
    for (const [from, to] of [
      [
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Clock',
      ],
      ['/unsubscribe/st_', '/unsubscribe/xx_'],
    ] as const) {
      const changed = Buffer.from(message.toString('latin1').replace(from, to), 'latin1');
      expect(changed.equals(message)).toBe(false);
      expect(await verifyDkim(changed)).toEqual(['fail']);
    }
  });

  it('contains no header that a name, a title or an address contains', async () => {
    const transport = await toSink();
    const subject = '[Acme\r\nBcc: victim@example.net\r\n\r\n] Title\nX-Injected: yes\u2028X-Too: yes';
    expect(await transport.send({ ...MESSAGE, subject })).toEqual({ kind: 'accepted' });
    const { headers } = await parse();
    expect(headers.has('bcc')).toBe(false);
    expect(headers.has('x-injected')).toBe(false);
    expect(headers.has('x-too')).toBe(false);
    expect(sink.received[0]?.to).toEqual([MESSAGE.to]);
    for (const to of [
      'a@example.org\r\nBcc: b@example.org',
      'a@example.org, b@example.org',
      'A <a@example.org>',
    ])
      expect(await transport.send({ ...MESSAGE, to })).toMatchObject({ kind: 'refused' });
    expect(sink.received).toHaveLength(1);
  });

  const refusals: [Refusal, object][] = [
    [
      { at: 'RCPT', code: 550, text: '5.1.1 <jane.doe@example.org> unknown' },
      { kind: 'refused', bounce: 'final' },
    ],
    [
      { at: 'RCPT', code: 556, text: '5.1.10 null MX' },
      { kind: 'refused', bounce: 'final' },
    ],
    [
      { at: 'RCPT', code: 550, text: 'no' },
      { kind: 'refused', bounce: 'repeated' },
    ],
    [
      { at: 'RCPT', code: 552, text: '5.2.2 full' },
      { kind: 'refused', bounce: 'repeated' },
    ],
    [
      { at: 'DATA', code: 552, text: '5.2.2 full' },
      { kind: 'refused', bounce: 'repeated' },
    ],
    [
      { at: 'DATA', code: 554, text: '5.7.1 spam' },
      { kind: 'refused', bounce: null },
    ],
    [
      { at: 'MAIL', code: 550, text: '5.7.1 not you' },
      { kind: 'deferred', slow_down: 'channel' },
    ],
    [
      { at: 'RCPT', code: 450, text: '4.2.0 greylisted' },
      { kind: 'deferred', slow_down: null },
    ],
    [
      { at: 'RCPT', code: 452, text: '4.3.1 disk full' },
      { kind: 'deferred', slow_down: 'organization' },
    ],
    [
      { at: 'RCPT', code: 421, text: '4.7.0 too many for this recipient' },
      { kind: 'deferred', slow_down: 'organization' },
    ],
    [
      { at: 'MAIL', code: 421, text: '4.7.0 too many' },
      { kind: 'deferred', slow_down: 'channel' },
    ],
    [
      { at: 'DATA', code: 503, text: '5.5.1 bad sequence' },
      { kind: 'deferred', slow_down: 'organization' },
    ],
    [
      { at: 'DATA', code: 451, text: '4.3.2 later' },
      { kind: 'deferred', slow_down: 'organization' },
    ],
  ];

  it.each(refusals)('after the response %o returns %o', async (refusal, expected) => {
    sink.refusal = refusal;
    const transport = await toSink();
    const result = await transport.send(MESSAGE);
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toMatch(/jane/i);
    sink.refusal = undefined;
    expect(await transport.send(MESSAGE)).toEqual({ kind: 'accepted' });
  });

  it('accepts a late response', async () => {
    sink.next = 90;
    expect(await (await toSink()).send(MESSAGE)).toEqual({ kind: 'accepted' });
    expect(sink.received).toHaveLength(1);
  });

  it.runIf(isThorough)('defers the message if the server does not respond after it', async () => {
    sink.next = 'hang';
    const transport = await toSink();
    const started = performance.now();
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: 'deferred', slow_down: 'organization' });
    expect(performance.now() - started).toBeLessThan(50_000);
    expect(await transport.send(MESSAGE)).toEqual({ kind: 'accepted' });
  });

  it('defers the message if the server disconnects without a response', async () => {
    sink.next = 'drop';
    const transport = await toSink();
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: 'deferred', slow_down: 'organization' });
    expect(sink.received).toHaveLength(1);
    expect(await transport.send(MESSAGE)).toEqual({ kind: 'accepted' });
    expect((await parse(1)).messageId).toBe((await parse(0)).messageId);
  });

  it('opens another connection after the server has closed the idle one', async () => {
    const impatient = await startSink({ socketTimeout: 200 });
    const transport = await open({ SMTP_URL: impatient.url, MAIL_FROM: 'status@example.com' });
    for (let count = 1; count <= 3; count++) {
      expect(await transport.send(MESSAGE)).toEqual({ kind: 'accepted' });
      expect(impatient.received).toHaveLength(count);
      await until(async () => impatient.connections() === 0);
    }
    await impatient.close();
  });

  it('sends to domains with other characters in ASCII, and to such local parts as they are', async () => {
    const transport = await toSink();
    for (const to of ['jane@bücher.example', 'jürgen@bücher.example'])
      expect(await transport.send({ ...MESSAGE, to })).toEqual({ kind: 'accepted' });
    const [ascii, other] = sink.received;
    expect(ascii?.is_utf8).toBe(false);
    expect(ascii?.message.toString()).toContain('To: jane@xn--bcher-kva.example\r\n');
    expect(other?.is_utf8).toBe(true);
    expect(other?.to).toEqual(['jürgen@bücher.example']);
  });

  it('reports a local part that the server does not support as a permanent failure', async () => {
    const ascii = await startSink({ hideSMTPUTF8: true });
    ascii.refusal = { at: 'RCPT', code: 553, text: '5.6.7 non-ASCII addresses are not permitted' };
    const transport = await open({ SMTP_URL: ascii.url, MAIL_FROM: 'status@example.com' });
    expect(await transport.send({ ...MESSAGE, to: 'jürgen@example.org' })).toMatchObject({
      kind: 'refused',
      bounce: 'repeated',
    });
    await ascii.close();
  });

  it('defers the message while nothing listens', async () => {
    const transport = await open({
      SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
      MAIL_FROM: 'status@example.com',
    });
    expect(await transport.send(MESSAGE)).toMatchObject({ kind: 'deferred', slow_down: 'channel' });
    expect(log).toBe('');
  });
});

describe('mail to MAIL_DIR', () => {
  it('creates the directory and a file with the recipient in its name, and logs the name without the address', async () => {
    const mail = join(directory, 'new', 'mail');
    expect(await (await open({ MAIL_DIR: mail })).send(MESSAGE)).toEqual({ kind: 'accepted' });
    const [name = '', ...others] = readdirSync(mail);
    expect(others).toEqual([]);
    const [, time, address, id] = /^(\d{8}T\d{9}Z)-(.+)-([0-9a-f]{8})\.eml$/.exec(name) ?? [];
    expect(address).toBe(MESSAGE.to.toLowerCase());
    const { subject, from, to } = await simpleParser(readFileSync(join(mail, name)));
    expect(subject).toBe(MESSAGE.subject);
    expect(from?.text).toBe('"Acme Cloud" <status@status.example.com>');
    expect(JSON.stringify(to)).toContain(MESSAGE.to);
    expect(JSON.parse(log)).toMatchObject({
      msg: 'mail written to a file',
      file: join(mail, `${time}-*-${id}.eml`),
      level: 30,
    });
    expect(log).not.toMatch(/jane|st_A/i);
  });

  it('writes the text with its long links unbroken', async () => {
    const mail = join(directory, 'links');
    const text = `Grüße: ${MESSAGE.unsubscribe}\n`;
    await (await open({ MAIL_DIR: mail })).send({ ...MESSAGE, text });
    const [name = ''] = readdirSync(mail);
    const written = readFileSync(join(mail, name), 'utf8');
    expect(written).toContain(`\r\n${text.trim()}\r\n`);
    expect((await simpleParser(written)).text).toBe(text);
  });

  it('writes safe file names for any address', async () => {
    const addresses = [
      'a/../../b@example.org',
      `${'ü'.repeat(64)}@${'x'.repeat(190)}.example`,
      "o'neil@example.org",
    ];
    for (const to of addresses) await (await open({ MAIL_DIR: directory })).send({ ...MESSAGE, to });
    const names = readdirSync(directory);
    expect(names.filter((name) => /^\d{8}T\d{9}Z-[\w@.+-]{1,200}-[0-9a-f]{8}\.eml$/.test(name))).toHaveLength(
      3,
    );
    expect(names).toHaveLength(3);
  });

  it('keeps the newest 1,000 files, and all other files', async () => {
    const old = (index: number) => `20200101T${String(index).padStart(9, '0')}Z-00000000.eml`;
    for (let index = 0; index < 1_001; index++) writeFileSync(join(directory, old(index)), '');
    writeFileSync(join(directory, 'note.txt'), '');
    await (await open({ MAIL_DIR: directory })).send(MESSAGE);
    const names = readdirSync(directory);
    expect(names).toHaveLength(1_001);
    expect(names).toContain('note.txt');
    expect(names).not.toContain(old(1));
    expect(names).toContain(old(2));
  });

  it('defers the message if the directory cannot be written', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    expect(await (await open({ MAIL_DIR: file })).send(MESSAGE)).toMatchObject({ kind: 'deferred' });
  });
});

it('defers every message without SMTP_URL and MAIL_DIR', async () => {
  expect(await (await open({})).send(MESSAGE)).toMatchObject({ kind: 'deferred' });
});
