import { EXAMPLE_IDS } from '../platform/openapi/example-ids.js';

/** Monitors of the demo, by section. */
export const SECTIONS = {
  'Core services': [
    { name: 'Website', key: 'website' },
    { name: 'API', key: 'api', id: EXAMPLE_IDS.monitor },
    { name: 'Dashboard', key: 'dashboard' },
    { name: 'Authentication', key: 'auth' },
    { name: 'File storage', key: 'storage' },
  ],
  Regions: [
    { name: 'Europe (Frankfurt)', key: 'europe' },
    { name: 'US East (Virginia)', key: 'us-east' },
    { name: 'US West (Oregon)', key: 'us-west' },
    { name: 'Asia (Singapore)', key: 'asia' },
    { name: 'Brazil (São Paulo)', key: 'brazil' },
  ],
  Integrations: [
    { name: 'Webhooks', key: 'webhooks' },
    { name: 'Email delivery', key: 'email' },
    { name: 'Payments', key: 'payments' },
    { name: 'Single sign-on', key: 'sso' },
    { name: 'Audit log export', key: 'audit-log' },
  ],
  Shop: [
    { name: 'Storefront', key: 'storefront' },
    { name: 'Product search', key: 'search' },
    { name: 'Checkout', key: 'checkout' },
    { name: 'Order tracking', key: 'orders' },
  ],
  'Internal tools': [
    { name: 'VPN', key: 'vpn' },
    { name: 'Build servers', key: 'build' },
    { name: 'Wiki', key: 'wiki' },
  ],
} as const;

type Section = keyof typeof SECTIONS;

export type MonitorName = (typeof SECTIONS)[Section][number]['name'];

export interface PlannedMonitor {
  name: MonitorName;
  key: string;
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
  subscribe_enabled?: boolean;
  custom_domain?: string;
  sections: readonly Section[];
}

const CLOUD_SECTIONS: Section[] = ['Core services', 'Regions', 'Integrations'];

/** Pages of the first demo. The first one has the open incident, and is the page of the documented examples. */
export const PAGES: PlannedPage[] = [
  {
    name: 'Acme Cloud',
    description: 'Current status of Acme Cloud.',
    accent_color: '#4f46e5',
    subscribe_enabled: true,
    sections: CLOUD_SECTIONS,
  },
  {
    name: 'Acme Shop',
    description: 'Current status of the Acme Shop.',
    accent_color: '#0f766e',
    custom_domain: 'status.acme-shop.localhost', // is never queried in DNS
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
