import { describe, expect, it } from 'vitest';
import { normalizedHost } from '../../src/platform/server/host.js';

/** As Node.js decodes the bytes of a header. */
const inHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

describe('normalizedHost', () => {
  it.each([
    'status.bücher.example',
    'status.xn--bcher-kva.example',
    'STATUS.XN--BCHER-KVA.EXAMPLE',
    'Status.Bücher.Example',
    'status.bücher.example.',
    'status.bücher.example:443',
    'status.xn--bcher-kva.example.:8443',
    'status.xn--bcher-kva.example:',
    'status.bu\u0308cher.example',
    'status。bücher。example',
    'ｓｔａｔｕｓ.bücher.example',
  ])('returns the one spelling of %s', (host) => {
    expect(normalizedHost(host)).toBe('status.xn--bcher-kva.example');
    expect(normalizedHost(inHeader(host))).toBe('status.xn--bcher-kva.example');
  });

  it.each([
    undefined,
    '',
    '.',
    ':80',
    '[::1]',
    '[::1]:3000',
    '127.0.0.1',
    '127.0.0.1:3000',
    '0x7f.1',
    '127.1',
    '1.2.3.4.',
    'status.example/',
    'status.example/..',
    'status.bücher.example/x',
    'status.bücher.example?x',
    'status.bücher.example#x',
    'b%c3%bccher.example',
    'user@status.example',
    'status example',
    'status.example,other.example',
    'status.example\\x',
    'ﬀ'.repeat(200),
    'a'.repeat(254),
    `${'a.'.repeat(200)}example`,
  ])('returns undefined for %s', (host) => {
    expect(normalizedHost(host)).toBeUndefined();
  });
});
