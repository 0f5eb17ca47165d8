import { describe, expect, it } from 'vitest';
import { datesOf } from '../../src/page-model/dates.js';
import { useVisits, type Visited } from './use-visits.js';

const { server, monitor, pageOf, visit, visitUntil, incident, maintenance, send, at, dayAt, reportAt } =
  useVisits();

/** Returns a test of a response that contains a headline. */
const hasHeadline = (text: string) => (visited: Visited) => visited.text.includes(`<h1>${text}</h1>`);

describe('a status page of monitors without reports', () => {
  it('shows operational in all documents', async () => {
    const { slug } = await pageOf([await monitor(), await monitor()]);
    const { text } = await visit(slug);
    expect(text).toContain('<h1>All systems operational</h1>');
    expect(text).not.toMatch(/not operational|% uptime/);
    expect(text.match(/Monitored since [^<]*/g)).toEqual([
      expect.stringMatching(/^Monitored since \d+ \w+ \d{4}$/),
    ]);
    const json = async (path: string): Promise<unknown> => JSON.parse((await visit(`${slug}${path}`)).text);
    expect(await json('/badge.json')).toMatchObject({ message: 'operational' });
    expect(await json('/api/v2/summary.json')).toMatchObject({
      status: { indicator: 'none', description: 'All Systems Operational' },
    });
    expect(await json('/api/v2/components.json')).toMatchObject({
      components: [{}, { status: 'operational' }, { status: 'operational' }],
    });
  });

  it('shows no percentage on the first day, and is operational after its first incident', async () => {
    const id = await monitor();
    const { slug } = await pageOf([id]);
    await visit(slug);
    const { id: outage } = await incident({ [id]: 'major_outage' });
    const during = await visitUntil(slug, hasHeadline('Major outage'));
    expect(during.text).not.toContain('% uptime');
    await send('POST', `/v1/incidents/${outage}/updates`, { status: 'resolved', body: 'Fixed.' });
    const after = await visitUntil(slug, hasHeadline('All systems operational'));
    expect(after.text).not.toContain('% uptime');
    expect(after.text).toContain('Monitored since');
  });

  it('shows a percentage once a day was observed', async () => {
    const id = await monitor();
    await server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, at(-2, 12)]);
    const { slug } = await pageOf([id]);
    expect((await visit(slug)).text).toContain('100% uptime');
    expect((await visit(`${slug}/monitors/${id}`)).text).toContain('100% uptime in the last 90 days');
  });

  it('shows the first report within two seconds', async () => {
    const id = await monitor();
    await server.sql('UPDATE monitors SET created_at = $2 WHERE id = $1', [id, at(-5, 0)]);
    const { slug } = await pageOf([id]);
    expect((await visit(slug)).text).toContain('100% uptime');
    await reportAt(id, ['major_outage', -4, 0], ['operational', -3, 0]);
    const { text } = await visitUntil(slug, (visited) => visited.text.includes('Problems on 1 day'));
    expect(text).toContain(`${datesOf('en', 'UTC', new Date()).day(dayAt(-4))}</th><td>Major outage all day`);
  });

  it('shows since when a monitor is monitored if it was created during maintenance', async () => {
    const id = await monitor();
    await maintenance(-1, 1, { monitor_ids: [id] });
    const { slug } = await pageOf([id]);
    const { text } = await visit(slug);
    expect(text).toContain('<h1>Maintenance in progress</h1>');
    expect(text).toContain('Monitored since');
  });

  it('reports no data for a monitor that waits for the first report of its probe', async () => {
    const { slug } = await pageOf([await monitor(3_600)]);
    const { text } = await visit(slug);
    expect(text).toContain('<h1>No system is reporting</h1>');
    expect(text).toContain('aria-label="Last 90 days: no data"');
  });
});
