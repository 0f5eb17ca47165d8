import { afterEach, describe, expect, it, vi } from 'vitest';
import { DocumentCache } from '../../../src/visitors/cache/document-cache.js';
import { withinTwoSeconds } from '../../support/server.js';
import { renderingsIn, useVisits, visitorStatementsOf } from './use-visits.js';

const { server, page, visit, change } = useVisits();

afterEach(() => void vi.useRealTimers());

/** Returns how often a visit renders its page. */
async function renderingsOf(slug: string): Promise<number> {
  const statements = await visitorStatementsOf(async () => {
    await visit(slug);
    await server.app.get(DocumentCache, { strict: false }).settle();
  });
  return renderingsIn(statements);
}

describe('a cached copy of a page', () => {
  it('shows a change within two seconds', async () => {
    const { id, slug } = await page();
    await visit(slug);
    await change(id, { name: 'Renamed' });
    expect(await withinTwoSeconds(async () => (await visit(slug)).text.includes('Renamed'))).toBe(true);
  });

  it('gets rendered again after the end of its minute, when its times are out of date', async () => {
    const { slug } = await page();
    await visit(slug);
    vi.setSystemTime(Math.ceil((Date.now() + 1) / 60_000) * 60_000);
    expect(await renderingsOf(slug)).toBeGreaterThan(0);
  });
});
