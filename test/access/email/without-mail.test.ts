import { describe, expect, it } from 'vitest';
import { useEntry } from '../use-entry.js';

const { server, browser, page } = useEntry({ MAIL_DIR: '' });

describe('a server that cannot send mail', () => {
  it('offers no link by mail, and stores no form', async () => {
    const { slug } = await page({ email_domains: ['acme.com'], password: 'correct horse' });
    const gate = await browser().visit(`/status/${slug}`);
    expect(gate.text).toContain('name="password"');
    expect(gate.text).not.toContain('name="email"');
    const { status } = await browser().send(`/status/${slug}/access/email`, { email: 'ada@acme.com' });
    expect(status).toBe(404);
    expect(await server.sql('SELECT FROM access_email_requests')).toEqual([]);
  });
});
