import { describe, expect, it } from 'vitest';
import { statuspageStatus } from '../../../src/page-documents/feeds/statuspage-status.js';
import type { ComponentStatus } from '../../../src/page-documents/feeds/statuspage-types.js';
import type { HeadlineIncident } from '../../../src/summaries/headline.js';

const NONE = { indicator: 'none', description: 'All Systems Operational' };
const MAINTENANCE = { indicator: 'maintenance', description: 'Service Under Maintenance' };
const SOME_DEGRADED = { indicator: 'minor', description: 'Partially Degraded Service' };
const ALL_DEGRADED = { indicator: 'minor', description: 'Degraded System Service' };
const MINOR = { indicator: 'minor', description: 'Minor Service Outage' };
const PARTIAL = { indicator: 'major', description: 'Partial System Outage' };
const MAJOR = { indicator: 'critical', description: 'Major System Outage' };

const SHORT = {
  ok: 'operational',
  maintenance: 'under_maintenance',
  degraded: 'degraded_performance',
  partial: 'partial_outage',
  major: 'major_outage',
} as const satisfies Record<string, ComponentStatus>;

const componentsOf = (...names: (keyof typeof SHORT)[]) =>
  names.map((name) => ({ group: false, status: SHORT[name] }));

describe('statuspageStatus', () => {
  it.each<[(keyof typeof SHORT)[], object]>([
    [[], NONE],
    [['ok'], NONE],
    [['maintenance'], MAINTENANCE],
    [['degraded'], SOME_DEGRADED],
    [['partial'], PARTIAL],
    [['major'], MAJOR],
    [['ok', 'ok'], NONE],
    [['ok', 'maintenance'], MAINTENANCE],
    [['maintenance', 'maintenance'], MAINTENANCE],
    [['ok', 'degraded'], SOME_DEGRADED],
    [['maintenance', 'degraded'], SOME_DEGRADED],
    [['degraded', 'degraded'], ALL_DEGRADED],
    [['ok', 'partial'], MINOR],
    [['degraded', 'partial'], MINOR],
    [['partial', 'partial'], PARTIAL],
    [['ok', 'ok', 'ok', 'major'], PARTIAL],
    [['partial', 'major'], PARTIAL],
    [['major', 'major'], MAJOR],
  ])('follows the rules of Statuspage for %j', (names, status) => {
    expect(statuspageStatus(componentsOf(...names), [])).toEqual(status);
  });

  it('ignores groups', () => {
    const group = { group: true, status: SHORT.degraded };
    expect(statuspageStatus([group, ...componentsOf('degraded', 'ok')], [])).toEqual(SOME_DEGRADED);
    expect(statuspageStatus([group, ...componentsOf('degraded')], [])).toEqual(SOME_DEGRADED);
  });

  it.each<[Partial<HeadlineIncident>, keyof typeof SHORT, object]>([
    [{ impact: 'none' }, 'ok', NONE],
    [{ impact: 'minor' }, 'ok', MINOR],
    [{ impact: 'major' }, 'ok', PARTIAL],
    [{ impact: 'critical' }, 'ok', MAJOR],
    [{ impact: 'critical', status: 'monitoring' }, 'ok', NONE],
    [{ impact: 'critical', monitors: [{}] }, 'degraded', SOME_DEGRADED],
    [{ impact: 'minor' }, 'maintenance', MINOR],
    [{ impact: 'minor' }, 'degraded', SOME_DEGRADED],
    [{ impact: 'minor' }, 'partial', PARTIAL],
  ])('counts the impact of the incident %j beside a component that is %s', (incident, name, status) => {
    const open: HeadlineIncident = { status: 'investigating', impact: 'none', monitors: [], ...incident };
    expect(statuspageStatus(componentsOf(name), [open])).toEqual(status);
  });
});
