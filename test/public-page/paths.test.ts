import { beforeAll, describe, expect, it } from 'vitest';
import { withinTwoSeconds } from '../support/server.js';
import { partsOf, useVisits } from './use-visits.js';

const { server, tenant, monitorIn, incident, maintenance, send, visit, pageOf } = useVisits();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let ids: { monitor: string; incident: string; maintenance: string };
let parts: string[];
let slug: string;
let page_id: string;

beforeAll(async () => {
  const monitor = await monitorIn('operational');
  const { id } = await incident({ [monitor]: 'partial_outage' });
  ids = { monitor, incident: id, maintenance: await maintenance(1, 2, { monitor_ids: [monitor] }) };
  parts = partsOf(ids);
  ({ slug, id: page_id } = await pageOf([monitor]));
});

/** Returns the response to an unknown slug, which is also the response for everything hidden. */
const unknown = () => visit('no-such-page');

async function expectNotFound(path: string): Promise<void> {
  const [found, expected] = [await visit(path), await unknown()];
  const headersOf = ({ headers }: { headers: Headers }) =>
    [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  expect([path, found.status]).toEqual([path, 404]);
  expect(found.text).toBe(expected.text);
  expect(headersOf(found)).toEqual(headersOf(expected));
}

describe('GET /status/{slug} and every other part', () => {
  it('do not require an API key', async () => {
    for (const part of parts) expect([part, (await visit(slug + part)).status]).toEqual([part, 200]);
  });

  it('respond to HEAD without a body', async () => {
    for (const part of parts) {
      const { status, text, headers } = await visit(slug + part, { method: 'HEAD' });
      expect([part, status, text]).toEqual([part, 200, '']);
      expect(headers.get('content-type')).toBe((await visit(slug + part)).headers.get('content-type'));
    }
  });

  it('reject other methods with 405 and Allow', async () => {
    for (const part of [...parts, '/no/such/part'])
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const isForm = part === '/subscribe';
        if (isForm && method === 'POST') continue;
        const { status, headers } = await visit(slug + part, { method });
        const allowed = isForm ? 'GET, HEAD, OPTIONS, POST' : 'GET, HEAD, OPTIONS';
        expect([part, status, headers.get('allow')]).toEqual([part, 405, allowed]);
      }
  });

  it('ignore unknown and repeated query parameters', async () => {
    for (const part of parts) {
      const query = `${part.includes('?') ? '&' : '?'}utm_source=mail&utm_source=mail&a[b]=%00`;
      expect([part, (await visit(slug + part + query)).status]).toEqual([part, 200]);
    }
  });

  it('allow other sites to read data formats but not to frame pages', async () => {
    for (const part of parts) {
      const { headers } = await visit(slug + part);
      if (part !== '/embed' && headers.get('content-type')?.startsWith('text/html')) {
        expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
        expect(headers.get('access-control-allow-origin')).toBeNull();
      } else {
        expect([part, headers.get('access-control-allow-origin')]).toEqual([part, '*']);
        expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      }
    }
  });
});

describe('GET /status/{slug} for everything hidden', () => {
  it('returns the same 404 for all parts of a private page', async () => {
    const hidden = await pageOf([ids.monitor], { is_public: false });
    for (const part of parts) await expectNotFound(hidden.slug + part);
  });

  it('returns an identical 404 for unknown and malformed slugs', async () => {
    for (const part of parts) {
      await expectNotFound(`unknown${part}`);
      await expectNotFound(`upper_${part}`);
      await expectNotFound(`${'a'.repeat(64)}${part}`);
      await expectNotFound(`a%00b${part}`);
    }
  });

  it('returns the same 404 for an unknown part', async () => {
    for (const path of [
      '',
      'assets',
      `${slug}/monitors`,
      `${slug}/monitors/`,
      `${slug}/monitors/x`,
      `${slug}/monitors/${ids.monitor.toUpperCase()}x`,
      `${slug}/feed.xml`,
      `${slug}/badge.png`,
      `${slug}/api/v2/other.json`,
      `${slug}/api/v2/summary`,
      `${slug}/history/2026`,
      `${slug}//`,
    ])
      await expectNotFound(path);
  });

  it('returns the same 404 for resources that the page does not show', async () => {
    const other = await monitorIn('operational');
    const elsewhere = await incident({ [other]: 'major_outage' });
    const hidden = await maintenance(1, 2, { monitor_ids: [other] });
    for (const id of [UNKNOWN, other]) await expectNotFound(`${slug}/monitors/${id}`);
    for (const id of [UNKNOWN, elsewhere.id]) await expectNotFound(`${slug}/incidents/${id}`);
    for (const id of [UNKNOWN, hidden]) await expectNotFound(`${slug}/maintenances/${id}`);
  });

  it('returns the same 404 for malformed months and months out of range', async () => {
    for (const month of ['', '2026', '2026-13', '2026-1', '2026-00', '0001-01', '9999-12', '2026-01-01', 'x'])
      await expectNotFound(`${slug}/history?month=${month}`);
    await expectNotFound(`${slug}/history?month=2026-01&month=2026-02`);
  });

  it('returns the same 404 for the history and monitors if the history is disabled', async () => {
    const { slug: own } = await pageOf([ids.monitor], { show_history: false });
    for (const part of ['/history', `/monitors/${ids.monitor}`]) await expectNotFound(own + part);
    for (const part of ['', `/incidents/${ids.incident}`, '/feed.rss', '/api/v2/summary.json'])
      expect((await visit(own + part)).status).toBe(200);
  });

  it('returns the same 404 for disabled feeds and a disabled calendar', async () => {
    const { slug: own } = await pageOf([ids.monitor], { rss_enabled: false });
    for (const part of ['/feed.rss', '/feed.atom', '/feed.json', '/maintenance.ics'])
      await expectNotFound(own + part);
    for (const part of ['', '/history', '/badge.svg']) expect((await visit(own + part)).status).toBe(200);
  });
});

describe('a public page', () => {
  it('disappears within two seconds after it becomes private, and reappears after it becomes public', async () => {
    expect((await visit(slug)).status).toBe(200);
    for (const [is_public, expected] of [
      [false, 404],
      [true, 200],
    ] as const) {
      await send('PATCH', `/v1/status-pages/${page_id}`, { is_public });
      await withinTwoSeconds(async () => (await visit(slug)).status === expected);
    }
  });

  it('shows no further part once it is private, before the process notices it', async () => {
    const { slug: own, id } = await pageOf([ids.monitor]);
    expect((await visit(own)).status).toBe(200);
    await send('PATCH', `/v1/status-pages/${id}`, { is_public: false });
    for (const part of ['/history', '/feed.rss', `/monitors/${ids.monitor}`, '/badge.svg'])
      await expectNotFound(own + part);
  });

  it('shows only data of its own organization', async () => {
    const other = await server.tenant();
    const [theirs = ''] = await server.monitors(other, 1);
    await server.sql(`UPDATE monitors SET name = 'Their secret' WHERE id = $1`, [theirs]);
    // Simulates a missing check. Sections are JSON without a foreign key.
    const sections = JSON.stringify([{ id: 'all', title: 'All', monitor_ids: [theirs, ids.monitor] }]);
    const { id, slug: own } = await pageOf([ids.monitor]);
    await server.sql('UPDATE status_pages SET sections = $2 WHERE id = $1', [id, sections]);
    for (const part of parts) expect((await visit(own + part)).text).not.toContain('Their secret');
    await expectNotFound(`${own}/monitors/${theirs}`);
    expect(tenant.organization_id).not.toBe(other.organization_id);
  });
});
