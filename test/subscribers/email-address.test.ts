import { describe, expect, it } from 'vitest';
import { emailKey, isEmailAddress } from '../../src/subscribers/email-address.js';

describe('isEmailAddress', () => {
  it.each([
    'a@b.c',
    'Ada+status@Example.com',
    'ada@bücher.example',
    'дом@пример.рф',
    `${'a'.repeat(200)}@b.example`,
  ])('accepts %s', (text) => expect(isEmailAddress(text)).toBe(true));

  it.each([
    '',
    '@b',
    'a@',
    'ab',
    'a@b@c',
    'root@test',
    'a@localhost',
    'a b@c.example',
    'a@b.example\r\nBcc: c@d.example',
    'a\0@b.example',
    'a@b..example',
    'a@-b.example',
    'a@b.example.',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@[127.0.0.1]',
    'Ada <a@b.example>',
    'a,b@c.example',
    'a@b\u200b.example',
    '\ud800@b.example',
    `${'a'.repeat(320)}@b`,
  ])('rejects %j', (text) => expect(isEmailAddress(text)).toBe(false));
});

describe('emailKey', () => {
  it('ignores case and the form of the domain', () => {
    expect(emailKey('Ada@EXAMPLE.com')).toBe('ada@example.com');
    expect(emailKey('a@BÜCHER.example')).toBe(emailKey('a@xn--bcher-kva.example'));
  });
});
