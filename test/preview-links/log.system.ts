import { describe, expect, it } from 'vitest';
import { generateToken } from '../../src/platform/auth/token-format.js';
import { startProgram, stop } from '../support/process.js';
import { usePreviews } from './use-previews.js';

const { server, privatePage, tokenOf } = usePreviews();

/** Returns the token with another last character of its random part, so its checksum is wrong. */
const misspelled = (token: string) => token.replace(/.(?=.{6}$)/, (last) => (last === 'a' ? 'b' : 'a'));

describe('a preview link', () => {
  it('never appears in the log', async () => {
    const page = await privatePage();
    const token = await tokenOf(page.id);
    const program = await startProgram({ ...server.databaseEnv, LOG_LEVEL: 'trace' });
    for (const one of [token, misspelled(token), generateToken('pv_')])
      await (await fetch(`${program.url}/status/${page.slug}?preview=${one}`)).text();
    await (await fetch(`${program.url}/status/${page.slug}/${token}`)).text();
    await program.prints(/"path":"[^"]*\/status\/[^"]*pv_[^"]*"/);
    await stop(program);
    expect(program.stdout).toContain(`/status/${page.slug}`);
    expect(program.stdout).not.toContain(token.slice(8, 40));
  });
});
