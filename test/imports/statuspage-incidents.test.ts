import { describe, expect, it } from 'vitest';
import { ago, DAY_MS, update, withIncident, useStatuspage } from './use-statuspage.js';

const { imported } = useStatuspage();

describe('an imported incident', () => {
  it('can have its updates in any order', async () => {
    const [first, second, third] = [ago(3 * 60_000), ago(2 * 60_000), ago(60_000)];
    const { incidents } = await imported(
      withIncident({
        created_at: first,
        incident_updates: [
          update('identified', second),
          update('monitoring', third),
          update('investigating', first),
        ],
      }),
    );
    expect(incidents[0]?.updates.map(({ status }) => status)).toEqual([
      'investigating',
      'identified',
      'monitoring',
    ]);
    expect(incidents[0]?.status).toBe('monitoring');
  });

  it('starts with its first update if that is before the incident', async () => {
    const [before, start] = [ago(DAY_MS), ago(60_000)];
    const { incidents } = await imported(
      withIncident({
        created_at: start,
        incident_updates: [
          update('identified', start),
          update('investigating', start, { display_at: before }),
        ],
      }),
    );
    expect(incidents[0]).toMatchObject({ started_at: before, status: 'identified' });
  });

  it('appears resolved as in Statuspage, even without a resolving update', async () => {
    const resolved_at = ago(60_000);
    const files = [
      { status: 'resolved', resolved_at, incident_updates: [update('identified', ago(120_000))] },
      { status: 'postmortem', resolved_at, incident_updates: [] },
      { status: 'gone', resolved_at },
    ];
    for (const file of files) {
      const { incidents } = await imported(withIncident(file));
      expect(incidents).toMatchObject([{ status: 'resolved', resolved_at, monitors: {} }]);
      expect(incidents[0]?.updates.at(-1)).toMatchObject({ status: 'resolved', body: 'Resolved' });
    }
  });

  it('stores the Statuspage postmortem as its postmortem, not as an update', async () => {
    const { incidents } = await imported(
      withIncident({
        status: 'postmortem',
        incident_updates: [
          update('postmortem', ago(1_000), { body: '## What we learned' }),
          update('resolved', ago(2_000)),
          update('investigating', ago(3_000)),
        ],
      }),
    );
    expect(incidents).toMatchObject([{ status: 'resolved', postmortem: '## What we learned' }]);
    expect(incidents[0]?.updates.map(({ status }) => status)).toEqual(['investigating', 'resolved']);
  });

  it('affects its own components if no update lists components', async () => {
    const components = [{ id: 'a', status: 'major_outage' }];
    const open = await imported(
      withIncident({ components, incident_updates: [update('identified', ago(1_000))] }),
    );
    expect(open.incidents[0]).toMatchObject({ monitors: { a: 'major_outage' }, impact: 'critical' });
    const over = await imported(
      withIncident({ components, status: 'resolved', incident_updates: [update('resolved', ago(1_000))] }),
    );
    expect(over.incidents[0]?.updates[0]?.monitors).toEqual({ a: 'operational' });
    expect(over.incidents[0]?.impact).toBe('none');
  });

  it('appears only on the imported page if it affects no component', async () => {
    const { incidents, report } = await imported(
      withIncident({ incident_updates: [update('identified', ago(1_000))] }),
    );
    expect(incidents).toMatchObject([{ monitors: {}, status_page_ids: [report.status_page_id] }]);
    const components = [{ id: 'a', status: 'major_outage' }];
    const affecting = await imported(
      withIncident({ components, incident_updates: [update('identified', ago(1_000))] }),
    );
    expect(affecting.incidents).toMatchObject([{ status_page_ids: null }]);
  });

  it('loses what exceeds the limits, as listed in the summary', async () => {
    const affected_components = [
      { code: 'a', new_status: 'partial_outage' },
      { code: 'gone', new_status: 'major_outage' },
      { code: 'b', new_status: 'under_maintenance' },
      { name: 'without a code' },
    ];
    const { report, incidents } = await imported(
      withIncident({
        name: 'é'.repeat(300),
        impact: 'maintenance',
        incident_updates: [
          update('resolved', ago(1_000), { body: 'x'.repeat(10_001), affected_components: null }),
          update('new_phase', ago(2_000), { body: ' ' }),
          update('identified', ago(3_000), { body: '', affected_components }),
        ],
      }),
    );
    expect(incidents).toMatchObject([{ title: `${'é'.repeat(199)}…`, impact: 'major', status: 'resolved' }]);
    expect(
      incidents[0]?.updates.map(({ status, body, monitors }) => [status, body.length, monitors]),
    ).toEqual([
      ['identified', 'Identified'.length, { a: 'partial_outage' }],
      ['identified', 'Identified'.length, null],
      ['resolved', 10_000, null],
    ]);
    expect(report.not_imported).toEqual([
      'incidents.incident_updates.body (2 empty)',
      'incidents.incident_updates.body (1 cut to 10000 characters)',
      'incidents.incident_updates.affected_components (2 not in the file)',
      'incidents.incident_updates.affected_components.new_status (1 without an equivalent)',
      'incidents.incident_updates.status (1 without an equivalent)',
      'incidents.name (1 cut to 200 characters)',
      'incidents.impact (1 without an equivalent)',
    ]);
  });

  it('counts as skipped if a time is invalid', async () => {
    for (const created_at of ['1999-12-31T23:59:59Z', ago(-DAY_MS)]) {
      const { report, incidents } = await imported(withIncident({ created_at }));
      expect(incidents).toEqual([]);
      expect(report).toMatchObject({
        incidents: 0,
        not_imported: ['incidents (1 with a time before 2000 or in the future)'],
      });
    }
  });
});
