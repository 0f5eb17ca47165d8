import { MONITOR_STATUSES, type MonitorStatus } from '../../monitors/monitor-status.js';
import type { Sign } from '../../page-model/sign.js';
import type { View } from '../../page-model/view.js';

/** Class of a sign in `signs.css`. */
export const STATUS_CLASS: Record<Sign, string> = {
  operational: 'ok',
  degraded_performance: 'degraded',
  partial_outage: 'partial',
  major_outage: 'major',
  under_maintenance: 'maintenance',
  unknown: 'unknown',
  neutral: 'neutral',
};

/** Shape of each sign, and the mark in it, as paths in a square of 20. No two look alike. */
const SHAPES: Record<Sign, { shape: string; sign: string; isSolid?: boolean }> = {
  operational: { shape: 'M10 1a9 9 0 1 1 0 18 9 9 0 0 1 0-18z', sign: 'M6 10.3l2.8 2.8L14 7.6' },
  degraded_performance: {
    shape: 'M8.6 2.3a1.6 1.6 0 0 1 2.8 0l7.8 14a1.6 1.6 0 0 1-1.4 2.4H2.2a1.6 1.6 0 0 1-1.4-2.4z',
    sign: 'M10 7.4v4.4M10 15.2v.1',
  },
  partial_outage: {
    shape:
      'M8.8 1a1.7 1.7 0 0 1 2.4 0L19 8.8a1.7 1.7 0 0 1 0 2.4L11.2 19a1.7 1.7 0 0 1-2.4 0L1 11.2a1.7 1.7 0 0 1 0-2.4z',
    sign: 'M6 10h8',
  },
  major_outage: {
    shape: 'M6.9 1.2h6.2l5.7 5.7v6.2l-5.7 5.7H6.9l-5.7-5.7V6.9z',
    sign: 'M7 7l6 6M13 7l-6 6',
  },
  under_maintenance: {
    shape:
      'M4.5 1.3h11a3.2 3.2 0 0 1 3.2 3.2v11a3.2 3.2 0 0 1-3.2 3.2h-11a3.2 3.2 0 0 1-3.2-3.2v-11a3.2 3.2 0 0 1 3.2-3.2z',
    sign: 'M13.9 4.6a3.7 3.7 0 0 0-4.8 4.8l-4.6 4.6a1.1 1.1 0 0 0 1.5 1.5l4.6-4.6a3.7 3.7 0 0 0 4.8-4.8l-2.2 2.2-1.7-.4-.4-1.7z',
    isSolid: true,
  },
  unknown: {
    shape: 'M10 1a9 9 0 1 1 0 18 9 9 0 0 1 0-18z',
    sign: 'M7.6 7.8a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2 1-1.2 1.8M10 14.4v.1',
  },
  neutral: {
    shape:
      'M4 1.5h12a3 3 0 0 1 3 3v7.5a3 3 0 0 1-3 3h-5.2l-4.4 3.8a.8.8 0 0 1-1.3-.6v-3.2H4a3 3 0 0 1-3-3v-7.5a3 3 0 0 1 3-3z',
    sign: 'M10 4.9v.1M10 8.1v4',
  },
};

/** Colors of pictures and mail, which cannot use the stylesheet. White marks on them have a contrast of at least 3. */
export const ICON_COLORS: Record<Sign, string> = {
  operational: '#27a268',
  degraded_performance: '#bf8210',
  partial_outage: '#e0571c',
  major_outage: '#c8233f',
  under_maintenance: '#4174d9',
  unknown: '#868c95',
  neutral: '#64748b',
};

const SIGNS: Sign[] = [...MONITOR_STATUSES, 'neutral'];

/** Symbols of all signs, referenced by ID. */
export const SYMBOLS = SIGNS.map((one) => {
  const { shape, sign, isSolid } = SHAPES[one];
  return `<symbol id="i-${STATUS_CLASS[one]}" viewBox="0 0 20 20"><path class="shape" d="${shape}"/><path class="${isSolid ? 'sign solid' : 'sign'}" d="${sign}"/></symbol>`;
}).join('');

/** Returns the shape of a sign. The word is next to it. */
export const shapeOf = (sign: Sign) =>
  `<svg class="shape" aria-hidden="true"><use href="#i-${STATUS_CLASS[sign]}"/></svg>`;

/** Returns the shape and the word of a status, as HTML. */
export const statusHtml = ({ words }: View, status: MonitorStatus) =>
  `${shapeOf(status)}<span>${words.status[status]}</span>`;

/** Returns the shape of a sign with its mark and color, as SVG paths in a square of 20. */
export function signPaths(one: Sign): string {
  const { shape, sign, isSolid } = SHAPES[one];
  const paint = isSolid
    ? 'fill="#fff"'
    : 'fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"';
  return `<path fill="${ICON_COLORS[one]}" d="${shape}"/><path ${paint} d="${sign}"/>`;
}

/** Returns the icon of the browser tab as the URL of an SVG. */
export function iconOf(icon: Sign): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">${signPaths(icon)}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
