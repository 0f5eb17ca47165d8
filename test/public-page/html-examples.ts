import type { StartedPage } from '../../src/page-documents/components/start-page.js';
import type { Answer, One, Tenant, TestServer } from '../support/server.js';

/** Status pages on the start page of `npm start`. */
export const STARTED_PAGES: StartedPage[] = [
  {
    name: 'Demo',
    path: '/status/demo',
    is_public: true,
    status: 'partial_outage',
    headline: 'Partial outage',
    incidents: ['Slow API'],
  },
  {
    name: 'Inside',
    path: undefined,
    is_public: false,
    status: 'operational',
    headline: 'All fine',
    incidents: [],
  },
];

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** A status and its start, in minutes ago. */
type Since = [status: string, ago: number];

/** An incident to create: updates, oldest first, each with its minutes ago and affected monitors. */
interface Story {
  title: string;
  updates: { ago: number; status: string; body: string; monitors?: Record<string, string> }[];
  postmortem?: string;
  status_page_ids?: string[];
}

/** Creates resources of a tenant over the API. Each method returns the ID of the new resource. */
export class Author {
  private readonly now = Date.now();

  constructor(
    private readonly server: TestServer,
    private readonly tenant: Tenant,
  ) {}

  private at(minutesAgo: number): string {
    return new Date(this.now - minutesAgo * MINUTE_MS).toISOString();
  }

  private async send(method: string, path: string, fields: object): Promise<string> {
    const { key, project_id } = this.tenant;
    const answer: Answer<One<{ id: string }>> = await this.server.ask(path, {
      method,
      key,
      json: method === 'POST' && !path.endsWith('/updates') ? { project_id, ...fields } : fields,
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data.id;
  }

  page(slug: string, fields: object): Promise<string> {
    return this.send('POST', '/v1/status-pages', { slug, ...fields });
  }

  /** Creates a monitor that reports each status until the next one begins, and the last one until now. */
  async monitor(name: string, history: Since[], description = '', fields: object = {}): Promise<string> {
    const id = await this.send('POST', '/v1/monitors', { name, description, ...fields });
    if (history.length > 0) await this.report(id, history);
    return id;
  }

  private async report(monitor_id: string, history: Since[]): Promise<void> {
    const reports = history.flatMap(([status, ago], index) => [
      { monitor_id, status, observed_at: this.at(ago) },
      { monitor_id, status, observed_at: this.at((history[index + 1]?.[1] ?? 0) + 1) },
    ]);
    await this.send('POST', '/v1/monitor-reports', { reports });
  }

  async incident({ updates, postmortem, ...story }: Story): Promise<string> {
    const [first, ...others] = updates.map(({ ago, monitors, ...update }) => ({
      ...update,
      at: this.at(ago),
      ...(monitors && {
        monitors: Object.entries(monitors).map(([monitor_id, status]) => ({ monitor_id, status })),
      }),
    }));
    if (!first) throw new Error('an incident has at least one update');
    const { at, ...fields } = first;
    const id = await this.send('POST', '/v1/incidents', {
      ...story,
      ...fields,
      started_at: at,
      ...(postmortem !== undefined && { postmortem }),
    });
    for (const { at: posted_at, ...update } of others) {
      await this.send('POST', `/v1/incidents/${id}/updates`, { ...update, posted_at });
    }
    return id;
  }

  /**
   * @param window start and end, in minutes from now
   * @param updates their texts, oldest first
   */
  async maintenance(
    title: string,
    [from, to]: [number, number],
    fields: object,
    updates: string[] = [],
  ): Promise<string> {
    const window = { starts_at: this.at(-from), ends_at: this.at(-to) };
    const id = await this.send('POST', '/v1/maintenances', { title, ...window, ...fields });
    for (const body of updates) await this.send('POST', `/v1/maintenances/${id}/updates`, { body });
    return id;
  }
}

/** 90 days without problems. */
export const FINE: Since[] = [['operational', 90 * DAY_MINUTES]];

/** 90 days with an outage on each of the given past days, in days ago. */
export function troubled(status: string, ...daysAgo: number[]): Since[] {
  const troubles = daysAgo.flatMap((days): Since[] => [
    [status, days * DAY_MINUTES],
    ['operational', days * DAY_MINUTES - 200],
  ]);
  return [...FINE, ...troubles];
}

/** A path that visitors open, and its content. */
export interface Example {
  name: string;
  path: string;
  status: 200 | 404;
}

const MARKDOWN = `A **router** has failed. See [the report](https://example.com/report?a=1&b=2) and \`traceroute\`.

- Traffic moves to another one.
- Files can be slow.

1. First
2. Second

> Quoted

\`\`\`
$ ping 192.0.2.1
a line that is much longer than a phone is wide, so that it has to scroll or wrap in its own box, never the whole page
\`\`\`
`;

const POSTMORTEM = `## What happened\n\n${MARKDOWN}\n## What we change\n\n### Soon\n\nThe takeover is tested every week.`;

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  .repeat(3)
  .slice(0, 200);
const LONG_NAME =
  'A very long name of a service that somebody has described in its name '.repeat(3).slice(0, 199) + '.';

/** Creates status pages of all kinds. Returns the paths of their parts. */
export async function createExamples(server: TestServer, tenant: Tenant): Promise<Example[]> {
  const author = new Author(server, tenant);
  return [
    ...(await createGreen(author)),
    ...(await createOnFire(author)),
    ...(await createTypical(author)),
    ...(await createMany(author)),
    ...(await createNames(author)),
    ...(await createBare(author)),
  ];
}

/** Creates an operational page. Returns every kind of part. */
async function createGreen(author: Author): Promise<Example[]> {
  const api = await author.monitor('API', troubled('major_outage', 40, 5), 'REST and GraphQL.');
  const web = await author.monitor('Dashboard', troubled('degraded_performance', 60, 12));
  const mail = await author.monitor('Email', FINE);
  await author.page('green', {
    name: 'Green Cloud',
    description: 'The state of Green Cloud.',
    accent_color: '#0a7d4f',
    sections: [
      { id: 'core', title: 'Core services', monitor_ids: [api, web] },
      { id: 'mail', title: 'Email', monitor_ids: [mail, api] },
    ],
  });
  const ago = 5 * DAY_MINUTES;
  const incident = await author.incident({
    title: 'API unavailable',
    updates: [
      { ago, status: 'investigating', body: 'The API does not answer.', monitors: { [api]: 'major_outage' } },
      { ago: ago - 60, status: 'identified', body: MARKDOWN },
      { ago: ago - 190, status: 'monitoring', body: 'A fix is in place.' },
      { ago: ago - 200, status: 'resolved', body: 'The API works normally.' },
    ],
    postmortem: POSTMORTEM,
  });
  const maintenance = await author.maintenance('Database upgrade', [3 * DAY_MINUTES, 3 * DAY_MINUTES + 120], {
    body: MARKDOWN,
    monitor_ids: [api, web],
  });
  return [
    { name: 'a page without trouble', path: '/status/green', status: 200 },
    { name: 'a monitor', path: `/status/green/monitors/${api}`, status: 200 },
    { name: 'the history of this month', path: '/status/green/history', status: 200 },
    { name: 'a month without anything', path: '/status/green/history?month=2020-02', status: 200 },
    { name: 'a resolved incident', path: `/status/green/incidents/${incident}`, status: 200 },
    { name: 'a maintenance ahead', path: `/status/green/maintenances/${maintenance}`, status: 200 },
  ];
}

/** Creates a page with every status, open incidents and a maintenance window in progress. */
async function createOnFire(author: Author): Promise<Example[]> {
  const statuses = ['major_outage', 'partial_outage', 'degraded_performance', 'operational'];
  const monitors: string[] = [];
  for (const status of statuses) {
    const history: Since[] = [...troubled('partial_outage', 30), [status, 90]];
    monitors.push(await author.monitor(`Service with ${status.replaceAll('_', ' ')}`, history));
  }
  const silent = await author.monitor('Service that never reports', []);
  const upgraded = await author.monitor('Service in maintenance', FINE);
  const [down = '', partly = '', slow = '', fine = ''] = monitors;
  await author.page('on-fire', {
    name: 'On Fire',
    description: 'Everything is on fire.',
    accent_color: '#c2185b',
    sections: [
      { id: 'bad', title: 'Burning', monitor_ids: [down, partly, slow] },
      { id: 'good', title: 'Mixed', monitor_ids: [fine, silent, upgraded] },
      { id: 'fine', title: 'Not burning', monitor_ids: [fine] },
      { id: 'none', title: 'Without monitors', monitor_ids: [] },
    ],
  });
  const incident = await author.incident({
    title: 'Two regions are down',
    updates: [
      {
        ago: 90,
        status: 'investigating',
        body: 'Two regions do not answer.',
        monitors: { [down]: 'major_outage', [partly]: 'partial_outage' },
      },
      { ago: 30, status: 'identified', body: MARKDOWN },
    ],
  });
  await author.incident({
    title: 'Slow responses',
    updates: [
      {
        ago: 45,
        status: 'investigating',
        body: 'Some are slow.',
        monitors: { [slow]: 'degraded_performance' },
      },
    ],
  });
  const maintenance = await author.maintenance(
    'Move to new servers',
    [-30, 60],
    { body: 'The service is away for an hour.', monitor_ids: [upgraded] },
    ['The first server has moved.', MARKDOWN],
  );
  return [
    { name: 'a page on fire', path: '/status/on-fire', status: 200 },
    { name: 'a monitor that is down', path: `/status/on-fire/monitors/${down}`, status: 200 },
    { name: 'a monitor that never reports', path: `/status/on-fire/monitors/${silent}`, status: 200 },
    { name: 'an open incident', path: `/status/on-fire/incidents/${incident}`, status: 200 },
    { name: 'a maintenance in progress', path: `/status/on-fire/maintenances/${maintenance}`, status: 200 },
  ];
}

/** Names of fifteen monitors, by section. */
const FIFTEEN = {
  'Core services': ['Website', 'API', 'Dashboard', 'Authentication', 'File storage'],
  Regions: ['Europe (Frankfurt)', 'US East (Virginia)', 'US West (Oregon)', 'Asia (Singapore)', 'Brazil'],
  Integrations: ['Webhooks', 'Email delivery', 'Payments', 'Single sign-on', 'Audit log export'],
};

/** The open incident of the page `partial-outage`. */
export const PARTIAL_OUTAGE = {
  title: 'Requests to the API fail',
  newest:
    'A node of the database has failed. A new one takes over within 30 minutes. Until then, one request in five fails.',
};

/** Creates pages of fifteen monitors. Three of the monitors had problems more than two weeks ago. */
async function createTypical(author: Author): Promise<Example[]> {
  const create = async (slug: string, fields: object, history?: Since[]) => {
    const sections = [];
    const monitors: Record<string, string> = {};
    for (const [title, names] of Object.entries(FIFTEEN)) {
      for (const name of names) {
        const own = ['API', 'Asia (Singapore)', 'Payments'].includes(name)
          ? troubled('partial_outage', 50, 20)
          : FINE;
        monitors[name] = await author.monitor(name, history ?? own, '', fields);
      }
      const monitor_ids = names.map((name) => monitors[name]);
      sections.push({ id: `s${sections.length + 1}`, title, monitor_ids });
    }
    const description = 'Hosting for small teams.';
    await author.page(slug, { name: 'Lighthouse', description, accent_color: '#4f46e5', sections });
    return monitors;
  };

  await create('healthy', {});
  const { API: api = '', Dashboard: dashboard = '' } = await create('partial-outage', {});
  await author.incident({
    title: PARTIAL_OUTAGE.title,
    updates: [
      {
        ago: 64,
        status: 'investigating',
        body: 'Some requests fail. We are looking for the cause.',
        monitors: { [api]: 'partial_outage', [dashboard]: 'degraded_performance' },
      },
      {
        ago: 48,
        status: 'investigating',
        body: 'Requests that write data fail more often than others. Nothing is lost.',
      },
      { ago: 17, status: 'identified', body: PARTIAL_OUTAGE.newest },
    ],
  });
  const maintained = await create('in-maintenance', {});
  await author.maintenance('Network upgrade in Frankfurt', [-40, 80], {
    body: 'We replace the switches of this region.',
    monitor_ids: [maintained['Europe (Frankfurt)']],
  });
  const stopped: Since[] = [
    ['operational', 600],
    ['operational', 300],
  ];
  await create('silent', { stale_after_seconds: 3_600 }, stopped);
  await create('new', {}, []);
  return [
    { name: 'a page of fifteen healthy monitors', path: '/status/healthy', status: 200 },
    { name: 'a page with a partial outage', path: '/status/partial-outage', status: 200 },
    { name: 'a page with only a maintenance in progress', path: '/status/in-maintenance', status: 200 },
    { name: 'a page whose prober has stopped', path: '/status/silent', status: 200 },
    { name: 'a page without reports', path: '/status/new', status: 200 },
  ];
}

/** 200 monitors in 8 sections. Every tenth monitor has problems. */
async function createMany(author: Author): Promise<Example[]> {
  const monitors: string[] = [];
  for (let number = 1; number <= 200; number++) {
    const history = number % 10 === 0 ? troubled('partial_outage', (number % 80) + 5, 3) : FINE;
    monitors.push(await author.monitor(`Service ${number}`, history));
  }
  const sections = Array.from({ length: 8 }, (_, index) => ({
    id: `region-${index + 1}`,
    title: `Region ${index + 1}`,
    monitor_ids: monitors.slice(index * 25, (index + 1) * 25),
  }));
  await author.page('many', { name: 'Many Services', sections });
  return [{ name: 'a page of 200 monitors', path: '/status/many', status: 200 }];
}

/** Right-to-left names and names of 200 characters. */
async function createNames(author: Author): Promise<Example[]> {
  const hebrew = await author.monitor('ממשק התכנות (API)', FINE, 'שירות לפיתוח');
  const arabic = await author.monitor('لوحة التحكم 2', troubled('major_outage', 3));
  await author.page('rtl', {
    name: 'حالة الخدمات',
    description: 'הסטטוס של השירותים שלנו',
    sections: [{ id: 'rtl', title: 'الخدمات الأساسية', monitor_ids: [hebrew, arabic] }],
  });
  await author.incident({
    title: 'تعطل لوحة التحكم',
    updates: [
      {
        ago: 20,
        status: 'investigating',
        body: 'نحن نبحث في **المشكلة**.',
        monitors: { [arabic]: 'partial_outage' },
      },
    ],
  });
  const word = await author.monitor(LONG_WORD, troubled('major_outage', 8), LONG_WORD);
  const name = await author.monitor(LONG_NAME, [['degraded_performance', 60]], LONG_NAME);
  await author.page('long', {
    name: LONG_WORD,
    description: LONG_NAME,
    sections: [
      { id: 'word', title: LONG_WORD.slice(0, 100), monitor_ids: [word] },
      { id: 'name', title: LONG_NAME.slice(0, 100), monitor_ids: [name] },
    ],
  });
  const incident = await author.incident({
    title: LONG_WORD,
    updates: [
      { ago: 20, status: 'investigating', body: LONG_WORD.repeat(3), monitors: { [word]: 'partial_outage' } },
    ],
  });
  return [
    { name: 'right-to-left names', path: '/status/rtl', status: 200 },
    { name: 'a monitor with a right-to-left name', path: `/status/rtl/monitors/${arabic}`, status: 200 },
    { name: 'names of 200 characters', path: '/status/long', status: 200 },
    { name: 'a monitor with a name of 200 characters', path: `/status/long/monitors/${word}`, status: 200 },
    {
      name: 'an incident with a title of 200 characters',
      path: `/status/long/incidents/${incident}`,
      status: 200,
    },
  ];
}

/** Pages with little or no content. */
async function createBare(author: Author): Promise<Example[]> {
  await author.page('empty', { name: 'Empty' });
  const monitor = await author.monitor('API', FINE);
  const sections = [{ id: 'core', title: 'Core', monitor_ids: [monitor] }];
  await author.page('switched-off', {
    name: 'Switched Off',
    show_history: false,
    rss_enabled: false,
    show_powered_by: false,
    accent_color: '#ffff00',
    sections,
  });
  await author.page('private', { name: 'Private', is_public: false, sections });
  return [
    { name: 'a page without monitors', path: '/status/empty', status: 200 },
    { name: 'a page with all parts switched off', path: '/status/switched-off', status: 200 },
    { name: 'a private page', path: '/status/private', status: 404 },
    { name: 'an unknown page', path: '/status/unknown/history', status: 404 },
  ];
}
