import type { MonitorStatus } from '../../monitors/monitor-status.js';
import type { Sign } from '../../page-model/sign.js';
import { STATUS_CLASS, statusHtml, shapeOf } from './status-shapes.js';
import type { View } from '../../page-model/view.js';

/** Renders a status as shape and word. */
export function Status({ status, view }: { status: MonitorStatus; view: View }) {
  const html = { __html: statusHtml(view, status) };
  return <span class={`status ${STATUS_CLASS[status]}`} dangerouslySetInnerHTML={html} />;
}

/** Renders only the shape of a sign, next to text that contains its meaning. */
export function Shape({ status }: { status: Sign }) {
  return <span class={STATUS_CLASS[status]} dangerouslySetInnerHTML={{ __html: shapeOf(status) }} />;
}
