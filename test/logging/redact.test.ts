import { describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { redactKeys } from '../../src/platform/logging/logger.js';

describe('a text in the log', () => {
  it.each(['sp_', 'pv_', 'al_', 'ae_', 'ml_', 'mo_', 'ms_'])(
    'contains the first 8 characters of a token %s…',
    (prefix) => {
      const token = generateToken(prefix);
      expect(redactKeys(`GET /a?token=${token}&b`)).toBe(`GET /a?token=${token.slice(0, 8)}…&b`);
    },
  );

  it('contains the first 8 characters of a token st_…', () => {
    const token = `st_${'a-Z_'.repeat(13)}ab`;
    expect(redactKeys(`POST /${token} b`)).toBe(`POST /${token.slice(0, 8)}… b`);
  });

  it('keeps names that only begin like a token', () => {
    for (const name of ['signal_received', 'portrae_small', 'al_pha', 'ms_per_day', 'test_of_mail'])
      expect(redactKeys(name)).toBe(name);
  });
});
