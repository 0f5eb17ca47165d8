import type { MonitorReports } from './reports.repository.js';
import type { Report, ReportByKey } from './reports.service.js';

/** Returns the reports of each monitor sorted by time. Of reports with the same time, the last one counts. */
export function byMonitor(reports: Report[]): MonitorReports[] {
  const groups = new Map<string, MonitorReports>();
  for (const { monitor_id, status, observed_at } of reports) {
    const report = { status, time: observed_at.getTime() };
    const group = groups.get(monitor_id);
    if (group) group.reports.push(report);
    else groups.set(monitor_id, { monitor_id, reports: [report] });
  }
  const monitors = [...groups.values()];
  for (const group of monitors) if (group.reports.length > 1) group.reports = inOrder(group.reports);
  return monitors;
}

function inOrder(reports: MonitorReports['reports']): MonitorReports['reports'] {
  const last = new Map(reports.map((report) => [report.time, report]));
  return [...last.values()].toSorted((a, b) => a.time - b.time);
}

/** Returns whether a report identifies its monitor by ID. */
export function hasId(report: Report | ReportByKey): report is Report {
  return 'monitor_id' in report;
}
