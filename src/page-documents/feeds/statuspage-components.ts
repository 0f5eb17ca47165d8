import { v5 as uuidv5 } from 'uuid';
import type { MonitorStatus } from '../../monitors/monitor-status.js';
import type { CurrentMonitor, CurrentPart, PageHead, SectionData } from '../../page-model/page-data.js';
import type { ComponentStatus, StatuspageComponent } from './statuspage-types.js';

/** Components of a page. */
export interface Components {
  /** All components: each group, followed by its components. */
  all: StatuspageComponent[];
  /** Returns the components of a monitor: one for each section that contains it. */
  ofMonitor: (monitor_id: string) => StatuspageComponent[];
}

/**
 * Converts sections to groups, and monitors to components. A monitor in two sections becomes two components, because a
 * component has at most one group. An ID is derived from the IDs of the page, the section and the monitor (UUID version 5), so
 * it is unique across pages, and does not change if any of them is renamed or moved.
 */
export function componentsOf({ page, sections }: CurrentPart): Components {
  const ofMonitor = new Map<string, StatuspageComponent[]>();
  const all = sections.flatMap((section, sectionIndex) => {
    const group_id = uuidv5(section.id, page.id);
    const components = section.monitors.map((monitor, index) => {
      const component = toComponent(page, monitor, group_id, index + 1);
      const others = ofMonitor.get(monitor.monitor_id);
      if (others) others.push(component);
      else ofMonitor.set(monitor.monitor_id, [component]);
      return component;
    });
    return [toGroup(page, section, group_id, sectionIndex + 1, components), ...components];
  });
  return { all, ofMonitor: (id) => ofMonitor.get(id) ?? [] };
}

function toGroup(
  page: PageHead,
  { title, status }: SectionData<CurrentMonitor>,
  id: string,
  position: number,
  components: StatuspageComponent[],
): StatuspageComponent {
  return {
    id,
    name: title,
    status: toComponentStatus(status),
    created_at: page.created_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
    position,
    description: null,
    showcase: false,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: true,
    only_show_if_degraded: false,
    components: components.map((component) => component.id),
  };
}

function toComponent(
  page: PageHead,
  { monitor_id, name, description, status, created_at, updated_at }: CurrentMonitor,
  group_id: string,
  position: number,
): StatuspageComponent {
  return {
    id: uuidv5(monitor_id, group_id),
    name,
    status: toComponentStatus(status),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    position,
    description: description || null,
    showcase: page.show_history,
    start_date: created_at.toISOString().slice(0, 10),
    group_id,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  };
}

/**
 * Converts `unknown`, which Statuspage does not support, to `degraded_performance`, because a monitor that does not report must
 * never look operational.
 */
function toComponentStatus(status: MonitorStatus): ComponentStatus {
  return status === 'unknown' ? 'degraded_performance' : status;
}
