import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';

/** Monitors of the demo, by section. */
export const SECTIONS = {
  'Core services': [
    { name: 'Website' },
    { name: 'API', id: EXAMPLE_IDS.monitor },
    { name: 'Dashboard' },
    { name: 'Authentication' },
    { name: 'File storage' },
  ],
  Regions: [
    { name: 'Europe (Frankfurt)' },
    { name: 'US East (Virginia)' },
    { name: 'US West (Oregon)' },
    { name: 'Asia (Singapore)' },
    { name: 'Brazil (São Paulo)' },
  ],
  Integrations: [
    { name: 'Webhooks' },
    { name: 'Email delivery' },
    { name: 'Payments' },
    { name: 'Single sign-on' },
    { name: 'Audit log export' },
  ],
  Shop: [
    { name: 'Storefront' },
    { name: 'Product search' },
    { name: 'Checkout' },
    { name: 'Order tracking' },
  ],
  'Internal tools': [{ name: 'VPN' }, { name: 'Build servers' }, { name: 'Wiki' }],
} as const;

type Section = keyof typeof SECTIONS;

export type MonitorName = (typeof SECTIONS)[Section][number]['name'];

export interface PlannedMonitor {
  name: MonitorName;
  /** Only for the documented examples. */
  id?: string;
}

/** All monitors, in the order of their sections. */
export const MONITORS: readonly PlannedMonitor[] = Object.values(SECTIONS).flat();

export interface PlannedPage {
  name: string;
  description: string;
  accent_color?: string;
  is_public?: boolean;
  sections: readonly Section[];
}

const CLOUD_SECTIONS: Section[] = ['Core services', 'Regions', 'Integrations'];

/** Pages of the first demo. The first one has the open incident, and is the page of the documented examples. */
export const PAGES: PlannedPage[] = [
  {
    name: 'Acme Cloud',
    description: 'Current status of Acme Cloud.',
    accent_color: '#4f46e5',
    sections: CLOUD_SECTIONS,
  },
  {
    name: 'Acme Shop',
    description: 'Current status of the Acme Shop.',
    accent_color: '#0f766e',
    sections: ['Shop'],
  },
  {
    name: 'Acme Internal',
    description: 'Tools for employees. This page is private.',
    accent_color: '#9a3412',
    is_public: false,
    sections: ['Internal tools', 'Core services'],
  },
];

/** Page that is deleted and can be restored. Created unless the demo has no pages. */
export const DELETED_PAGE: PlannedPage = {
  name: 'Acme Beta',
  description: 'Status of the beta, which has ended.',
  sections: ['Core services'],
};

const COMPANIES = 'Acme Borealis Cumulus Delta Ember Fjord Granite Harbor Indigo Juniper'.split(' ');
const PRODUCTS = ['Cloud', 'Pay', 'Mail', 'Maps', 'Market', 'Studio'];

/** Returns a page of the demo: one of {@link PAGES}, or a page with the same sections as the first one. */
export function planPage(number: number): PlannedPage {
  const name = pageName(number);
  return PAGES[number] ?? { name, description: `Current status of ${name}.`, sections: CLOUD_SECTIONS };
}

/** Returns the name of a page. The first 60 names are different; later ones repeat them with a number. */
function pageName(number: number): string {
  const round = Math.floor(number / (COMPANIES.length * PRODUCTS.length));
  const company = COMPANIES[number % COMPANIES.length];
  const product = PRODUCTS[Math.floor(number / COMPANIES.length) % PRODUCTS.length];
  return round === 0 ? `${company} ${product}` : `${company} ${product} ${round + 1}`;
}
