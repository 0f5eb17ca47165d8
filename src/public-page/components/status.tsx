import type { MonitorStatus } from '../../monitors/monitor-status.js';
import { STATUS_CLASS, STATUS_HTML, shapeOf } from './status-shapes.js';

/** A status as shape and word. */
export function Status({ status }: { status: MonitorStatus }) {
  return <span class={`status ${STATUS_CLASS[status]}`} dangerouslySetInnerHTML={STATUS_HTML[status]} />;
}

/** The shape of a status alone, next to text that says it. */
export function Shape({ status }: { status: MonitorStatus }) {
  return <span class={STATUS_CLASS[status]} dangerouslySetInnerHTML={{ __html: shapeOf(status) }} />;
}
