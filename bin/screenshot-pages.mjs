// Kinds of public pages that bin/screenshots.mjs draws.

const DAY = 24 * 60;
const STATUSES = ['degraded_performance', 'partial_outage', 'major_outage'];
const LANGUAGES = ['en', 'de', 'ja'];

/** Each kind creates its data through the API and returns the path of the page. */
export const KINDS = {
  start: { create: () => '/' },
  demo: { create: () => '/status/acme-cloud' },
  calm: { create: createCalm, languages: LANGUAGES },
  incident: { create: createIncident, languages: LANGUAGES },
  outage: { create: createOutage },
  'on-fire': { create: createOnFire },
  maintenance: { create: createMaintenance, languages: LANGUAGES },
  unknown: { create: createUnknown },
  many: { create: createMany },
  long: { create: createLong },
  rtl: { create: createRightToLeft },
  empty: { create: createEmpty },
  new: { create: createNew },
  'one-incident': { create: (api) => demoPath(api, 'incidents', 'title', 'Frankfurt region unavailable') },
  'one-maintenance': { create: (api) => demoPath(api, 'maintenances', 'title', 'Database upgrade') },
  'one-monitor': { create: (api) => demoPath(api, 'monitors', 'name', 'Europe (Frankfurt)') },
  'one-month': { create: () => '/status/acme-cloud/history' },
  'not-found': { create: () => '/status/no-such-page' },
};

/** The API of the instance, and the project of the pages. */
export class Api {
  constructor(url, key) {
    this.url = url;
    this.headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  }

  /**
   * @param {string} url of the server
   * @param {string} key with every scope
   */
  static async create(url, key) {
    const api = new Api(url, key);
    api.project_id = (await api.post('/projects', { name: 'Screenshots' })).id;
    return api;
  }

  async request(path, init) {
    const response = await fetch(`${this.url}/v1${path}`, { ...init, headers: this.headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text).data;
  }

  post(path, fields) {
    return this.request(path, { method: 'POST', body: JSON.stringify(fields) });
  }

  create(path, fields) {
    return this.post(path, { project_id: this.project_id, ...fields });
  }

  /**
   * Creates a page and its monitors. Returns the IDs of the monitors, in order.
   * @param {string} slug
   * @param {Record<string, string[]>} sections the names of monitors by the title of their section
   * @param fields other fields of the page
   * @param monitorFields other fields of all monitors
   */
  async page(slug, sections, fields, monitorFields = {}) {
    const shown = [];
    for (const [title, names] of Object.entries(sections)) {
      const monitor_ids = [];
      for (const name of names)
        monitor_ids.push((await this.create('/monitors', { name, ...monitorFields })).id);
      shown.push({ id: `s${shown.length + 1}`, title, monitor_ids });
    }
    await this.create('/status-pages', { slug, sections: shown, ...fields });
    return shown.flatMap(({ monitor_ids }) => monitor_ids);
  }

  async report(reports) {
    for (let start = 0; start < reports.length; start += 1_000)
      await this.create('/monitor-reports', { reports: reports.slice(start, start + 1_000) });
  }

  /**
   * Creates an incident.
   * @param {string} title
   * @param {[minutesAgo: number, status: string, body: string][]} updates oldest first
   * @param {Record<string, string>} affected the statuses of affected monitors by ID
   */
  async incident(title, [[first, status, body], ...others], affected) {
    const monitors = Object.entries(affected).map(([id, its]) => ({ monitor_id: id, status: its }));
    const fields = { title, status, body, started_at: ago(first), monitors };
    const { id } = await this.create('/incidents', fields);
    for (const [minutes, changed, text] of others) {
      const update = { status: changed, body: text, posted_at: ago(minutes) };
      await this.post(`/incidents/${id}/updates`, update);
    }
  }

  /** Creates a maintenance window from and to minutes from now. */
  maintenance(title, body, [from, to], monitor_ids) {
    const fields = { title, body, starts_at: ago(-from), ends_at: ago(-to), monitor_ids };
    return this.create('/maintenances', fields);
  }
}

/** Fifteen monitors in three sections. */
const CLOUD = {
  'Core services': ['Website', 'API', 'Dashboard', 'Authentication', 'File storage'],
  Regions: [
    'Europe (Frankfurt)',
    'US East (Virginia)',
    'US West (Oregon)',
    'Asia (Singapore)',
    'Brazil (São Paulo)',
  ],
  Integrations: ['Webhooks', 'Email delivery', 'Payments', 'Single sign-on', 'Audit log export'],
};

/** Creates a page of fifteen monitors that are operational now, with past problems. */
async function createCloud(api, slug, fields) {
  const ids = await api.page(slug, CLOUD, { description: 'Hosting for small teams.', ...fields });
  await api.report(ids.flatMap((id, index) => history(id, index)));
  const start = 5 * DAY + 300;
  await api.incident(
    'Dashboard does not load',
    [
      [start, 'investigating', 'The dashboard shows an error. The API is not affected.'],
      [
        start - 25,
        'identified',
        'A release removed a file that older sessions need. We are rolling it back.',
      ],
      [start - 60, 'resolved', 'The dashboard works again.'],
    ],
    { [ids[2]]: 'major_outage' },
  );
  return ids;
}

async function createCalm(api) {
  await createCloud(api, 'calm', { name: 'Lighthouse', accent_color: '#0f766e' });
  return '/status/calm';
}

async function createIncident(api) {
  const ids = await createCloud(api, 'incident', { name: 'Lighthouse', accent_color: '#4f46e5' });
  await api.incident(
    'Slow responses from the API',
    [
      [52, 'investigating', 'Some requests take several seconds. We are looking into it.'],
      [
        19,
        'identified',
        'A node of the cache has failed. We are replacing it, and expect normal response times within **30 minutes**.',
      ],
    ],
    { [ids[1]]: 'degraded_performance' },
  );
  await api.maintenance(
    'Database upgrade',
    'Writes are delayed for a few minutes.',
    [3 * DAY, 3 * DAY + 120],
    ids.slice(1, 3),
  );
  return '/status/incident';
}

async function createOutage(api) {
  const ids = await createCloud(api, 'outage', { name: 'Lighthouse', accent_color: '#111827' });
  await api.incident(
    'All services are down',
    [
      [38, 'investigating', 'No service can be reached. We are looking for the cause.'],
      [
        21,
        'identified',
        'Both network providers have lost the routes to our data centers. They are working on it.',
      ],
    ],
    Object.fromEntries(ids.map((id) => [id, 'major_outage'])),
  );
  return '/status/outage';
}

/** A page with every status. */
async function createOnFire(api) {
  const sections = {
    Payments: ['Card payments', 'Bank transfers', 'Payouts', 'Refunds'],
    Developers: ['API', 'Webhooks', 'Dashboard', 'Sandbox'],
  };
  const ids = await api.page('on-fire', sections, {
    name: 'Northwind Payments',
    accent_color: '#b45309',
    description: 'Card payments, payouts and reporting.',
  });
  await api.report(ids.flatMap((id, index) => history(id, index, [2, 1, 0, undefined, 2, 0][index])));
  const [cards, transfers, payouts, , gateway] = ids;
  await api.incident(
    'Card payments fail in all regions',
    [
      [70, 'investigating', 'Most card payments fail. We are looking for the cause.'],
      [
        31,
        'identified',
        'A certificate of the card network has expired. A new one is being installed:\n\n- Europe: done\n- America: in progress\n- Asia: next',
      ],
    ],
    { [cards]: 'major_outage', [transfers]: 'partial_outage', [gateway]: 'major_outage' },
  );
  await api.incident(
    'Payouts are delayed',
    [[12, 'monitoring', 'Payouts of this morning arrive up to three hours late. No money is lost.']],
    { [payouts]: 'degraded_performance' },
  );
  const body = 'The sandbox is **not available** while we move it.';
  await api.maintenance('Move to another data center', body, [-30, 90], ids.slice(7));
  return '/status/on-fire';
}

async function createMaintenance(api) {
  const ids = await createCloud(api, 'maintenance', { name: 'Lighthouse', accent_color: '#1d4ed8' });
  const body = 'We replace the switches of this region. Expect two interruptions of less than a minute.';
  await api.maintenance('Network upgrade in Frankfurt', body, [-40, 80], [ids[5]]);
  return '/status/maintenance';
}

/** A page of a prober that stopped three hours ago. */
async function createUnknown(api) {
  const fields = { name: 'Lighthouse', accent_color: '#57534e', description: 'Hosting for small teams.' };
  const ids = await api.page('unknown', CLOUD, fields, { stale_after_seconds: 3_600 });
  const hours = Array.from({ length: 48 }, (_, index) => (50 - index) * 60);
  await api.report(
    ids.flatMap((monitor_id, index) =>
      hours
        .filter((minutes) => minutes > 180 || index > 5)
        .map((minutes) => ({ monitor_id, status: 'operational', observed_at: ago(minutes) })),
    ),
  );
  await api.report(ids.slice(6).map((monitor_id) => ({ monitor_id, status: 'operational' })));
  return '/status/unknown';
}

/** A page of 200 monitors. */
async function createMany(api) {
  const titles = 'Compute Storage Network Databases Messaging Identity Billing Support'.split(' ');
  const namesOf = (title) => Array.from({ length: 25 }, (_, number) => `${title} ${number + 1}`);
  const sections = Object.fromEntries(titles.map((title) => [title, namesOf(title)]));
  const fields = {
    name: 'Continental Cloud',
    accent_color: '#7c3aed',
    description: 'All services in all regions.',
  };
  const ids = await api.page('many', sections, fields);
  await api.report(ids.flatMap((id, index) => history(id, index, index % 41 === 7 ? index % 3 : undefined)));
  return '/status/many';
}

/** A page with names of 200 characters. */
async function createLong(api) {
  const long = 'Customer-facing order management and fulfilment interface for partners '
    .repeat(3)
    .slice(0, 199);
  const sections = {
    [`${long}.`]: [`${long}.`, 'A'.repeat(200), '<script>alert(1)</script>'],
    'Without monitors': [],
  };
  const fields = { name: `${long}.`, accent_color: '#facc15', description: long.repeat(3) };
  const ids = await api.page('long', sections, fields);
  await api.report(ids.flatMap((id, index) => history(id, index)));
  await api.incident(
    `${long}.`,
    [
      [
        15,
        'investigating',
        `See [our documentation](https://example.com), \`${'x'.repeat(150)}\`, and wait.`,
      ],
    ],
    { [ids[1]]: 'partial_outage' },
  );
  return '/status/long';
}

/** A page with names in Hebrew and Arabic. */
async function createRightToLeft(api) {
  const sections = {
    שירותים: ['ממשק תכנות (API)', 'קונסולה'],
    'الخدمات الأساسية': ['قاعدة البيانات', 'لوحة التحكم 2', 'Zahlungsabwicklung'],
  };
  const fields = { name: 'חברת הענן', accent_color: '#be185d', description: 'מצב השירותים שלנו' };
  const ids = await api.page('rtl', sections, fields);
  await api.report(ids.flatMap((id, index) => history(id, index)));
  await api.incident(
    'תקלה במסד הנתונים',
    [
      [
        25,
        'investigating',
        'אנחנו בודקים את התקלה. ראו [את התיעוד](https://example.com):\n\n1. שרת ראשון\n2. שרת שני',
      ],
    ],
    { [ids[2]]: 'partial_outage' },
  );
  return '/status/rtl';
}

async function createEmpty(api) {
  await api.page('empty', {}, { name: 'Nothing yet', accent_color: '#db2777' });
  return '/status/empty';
}

/** A page that was created now and has no reports. */
async function createNew(api) {
  const sections = { Services: ['Website', 'API', 'Database'] };
  await api.page('new', sections, { name: 'Corner Shop', description: 'Orders and deliveries.' });
  return '/status/new';
}

/** Returns the path of a resource on the demo page. */
async function demoPath(api, resource, field, value) {
  const project = (await api.request('/projects')).find(({ name }) => name === 'Demo');
  const all = await api.request(`/${resource}?project_id=${project.id}&limit=100`);
  return `/status/acme-cloud/${resource}/${all.find((one) => one[field] === value).id}`;
}

const ago = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString();

/** Reports of a time in one status, in minutes ago. */
const run = (monitor_id, status, from, to) =>
  [from, to].map((minutes) => ({ monitor_id, status, observed_at: ago(minutes) }));

/**
 * Reports of a monitor with a few problems, the same ones each time.
 * @param now the index of its status now, if it is not operational
 */
function history(id, index, now) {
  const problems = Array.from({ length: index % 4 }, (_, number) => {
    const from = 2_600 + ((index * 7_919 + number * 31_337) % (80 * DAY));
    return {
      from,
      length: [4, 45, 380, 1_100][(index + number) % 4],
      status: STATUSES[(index + number) % 3],
    };
  });
  const last = now === undefined ? [] : run(id, STATUSES[now], 65, 1);
  return [
    ...run(id, 'operational', (index % 9 === 4 ? 40 : 90) * DAY, now === undefined ? 1 : 66),
    ...problems.flatMap(({ from, length, status }) => [
      ...run(id, status, from, from - length + 1),
      ...run(id, 'operational', from - length, from - length),
    ]),
    ...last,
  ];
}
