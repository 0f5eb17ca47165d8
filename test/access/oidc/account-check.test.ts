import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../../../src/visitors/oidc/account-check.js';

const VERIFIED = { email_verified: true };

describe('account check', () => {
  it('lets in verified addresses of the listed domains only', () => {
    const domains = ['acme.com', 'münchen.example'];
    expect(rejectionOf({ email: 'ada@acme.com', ...VERIFIED }, domains)).toBeUndefined();
    expect(rejectionOf({ email: 'Ada@ACME.com', ...VERIFIED }, domains)).toBeUndefined();
    expect(rejectionOf({ email: 'ada@xn--mnchen-3ya.example', ...VERIFIED }, domains)).toBeUndefined();
    expect(rejectionOf({ email: 'ada@MÜNCHEN.example', ...VERIFIED }, domains)).toBeUndefined();
    for (const email of ['ada@other.com', 'ada@sub.acme.com', 'ada@acme.com.other.com', 'acme.com@other.com'])
      expect(rejectionOf({ email, ...VERIFIED }, domains)).toBe('email_domain');
  });

  it('rejects missing and malformed addresses if domains are listed', () => {
    for (const email of [undefined, null, 7, '', '@acme.com', 'a@b@acme.com', 'acme.com', ['ada@acme.com']])
      expect(rejectionOf({ email, ...VERIFIED }, ['acme.com'])).toBe('email_missing');
  });

  it('rejects addresses that the issuer does not call verified if domains are listed', () => {
    for (const email_verified of [undefined, false, null, 'false', 0, 'yes'])
      expect(rejectionOf({ email: 'ada@acme.com', email_verified }, ['acme.com'])).toBe('email_unverified');
    expect(rejectionOf({ email: 'ada@acme.com', email_verified: 'true' }, ['acme.com'])).toBeUndefined();
  });

  it('accepts the claim of Microsoft only instead of a missing claim', () => {
    expect(rejectionOf({ email: 'ada@acme.com', xms_edov: true }, ['acme.com'])).toBeUndefined();
    expect(rejectionOf({ email: 'ada@acme.com', xms_edov: '1' }, ['acme.com'])).toBeUndefined();
    expect(rejectionOf({ email: 'ada@acme.com', xms_edov: 0 }, ['acme.com'])).toBe('email_unverified');
    expect(rejectionOf({ email: 'a@acme.com', xms_edov: 1, email_verified: false }, ['acme.com'])).toBe(
      'email_unverified',
    );
  });

  it('lets in every account without a list of domains, except an unverified one', () => {
    expect(rejectionOf({}, [])).toBeUndefined();
    expect(rejectionOf({ email: 'ada@acme.com' }, [])).toBeUndefined();
    expect(rejectionOf({ email: 'ada@acme.com', email_verified: false }, [])).toBe('email_unverified');
  });
});
