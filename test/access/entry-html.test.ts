import { describe, expect, it } from 'vitest';
import {
  renderContinue,
  renderEntryMessage,
  renderOpen,
} from '../../src/page-documents/components/entry-pages.js';
import { LANGUAGES } from '../../src/branding/languages.js';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { Gate } from '../../src/visitors/routes/gate.js';
import { faultsOf } from '../public-page/html-faults.js';
import { useEntry } from './use-entry.js';

const { server, page, browser } = useEntry({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });

describe('the pages between the gate and a private page', () => {
  it.each(LANGUAGES)('contain valid HTML, and only what the gate shows (%s)', async (language) => {
    const { slug } = await page(
      { email_domains: ['acme.com'] },
      { name: 'Inside "Acme" <b>', description: 'Secret description' },
    );
    const shown = await browser().visit(`/status/${slug}/access/email/ae_x?lang=${language}`);
    expect(shown.status).toBe(404);
    expect(shown.text).toContain(`<html lang="${language}"`);
    expect(faultsOf(shown.text)).toEqual([]);
    expect(shown.text).not.toContain('Secret');
    expect(shown.headers.get('x-robots-tag')).toBe('noindex');
  });

  it('escape addresses, reasons and URLs', async () => {
    const { slug } = await page({ email_domains: ['acme.com'] });
    const gate = server.app.get(Gate);
    const gated = await server.app.get(AccessRulesService).findBySlug(slug);
    if (!gated) throw new Error('no page');
    const request: Parameters<typeof gate.shellOf>[0] = Object.assign(Object.create(null), {
      originalUrl: `/status/${slug}`,
    });
    const shell = await gate.shellOf(request, gated);
    if (!shell) throw new Error('no gate');
    const hostile = `"><script>alert(1)</script>'`;
    const documents = [
      renderOpen(shell, hostile, hostile),
      renderEntryMessage(shell, { title: hostile, text: hostile, reason: hostile }),
      renderContinue(shell, `https://issuer.example/?a="><script>&b='`),
    ];
    for (const { body } of documents) {
      expect(faultsOf(body)).toEqual([]);
      expect(body).not.toContain('<script');
    }
    expect(documents[2]?.body).toContain('content="0;url=https://issuer.example/?a=');
  });
});
