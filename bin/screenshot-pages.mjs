// The pages that bin/screenshots.mjs shows: green, on fire, with 200 monitors, with names that are hard to lay out, and empty.

const DAY = 24 * 60;
const STATUSES = ['degraded_performance', 'partial_outage', 'major_outage'];

/**
 * Creates the pages through the API.
 * @param {string} url of the server
 * @param {string} key with every scope
 * @returns their slugs
 */
export async function createPages(url, key) {
  const post = async (path, body) => {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path}: ${answer}`);
    return JSON.parse(answer).data;
  };
  const project_id = (await post('/projects', { name: 'Screenshots' })).id;
  const create = (path, body) => post(path, { project_id, ...body });
  const page = async (slug, fields, sections) => {
    const shown = [];
    for (const [index, { title, names }] of sections.entries()) {
      const monitors = [];
      for (const name of names) monitors.push(await create('/monitors', { name }));
      shown.push({ id: `s${index + 1}`, title, monitor_ids: monitors.map(({ id }) => id) });
    }
    await create('/status-pages', { slug, sections: shown, ...fields });
    return shown.flatMap(({ monitor_ids }) => monitor_ids);
  };
  const report = async (reports) => {
    for (let start = 0; start < reports.length; start += 1_000)
      await create('/monitor-reports', { reports: reports.slice(start, start + 1_000) });
  };

  const green = await page('green', { name: 'Lighthouse', accent_color: '#0f766e', description: '' }, [
    { title: 'Services', names: ['Website', 'API', 'Database'] },
  ]);
  await report(green.flatMap((id) => run(id, 'operational', 90 * DAY, 1)));

  await onFire(page, report, create);

  const titles = [
    'Compute',
    'Storage',
    'Network',
    'Databases',
    'Messaging',
    'Identity',
    'Billing',
    'Support',
  ];
  const many = await page(
    'many',
    { name: 'Continental Cloud', accent_color: '#7c3aed', description: 'All services in all regions.' },
    titles.map((title) => ({
      title,
      names: Array.from({ length: 25 }, (_, number) => `${title} ${number + 1}`),
    })),
  );
  await report(many.flatMap((id, index) => history(id, index, index % 41 === 7 ? index % 3 : undefined)));

  const long = 'Customer-facing order management and fulfilment interface for partners '
    .repeat(3)
    .slice(0, 200);
  const names = await page(
    'names',
    { name: 'חברת הענן', accent_color: '#facc15', description: 'מצב השירותים שלנו' },
    [
      { title: 'שירותים', names: ['ממשק תכנות (API)', 'قاعدة البيانات', '支付网关', 'Zahlungsabwicklung'] },
      { title: long, names: [long, 'A'.repeat(200), '<script>alert(1)</script>'] },
      { title: 'Nothing', names: [] },
    ],
  );
  await report(names.flatMap((id, index) => history(id, index, index === 1 ? 0 : undefined)));
  await create('/incidents', {
    title: 'תקלה במסד הנתונים',
    status: 'investigating',
    body: 'אנחנו בודקים את התקלה. See `status_page_ids`, [our documentation](https://example.com) and:\n\n1. one\n2. two',
    monitors: [{ monitor_id: names[1], status: 'partial_outage' }],
  });

  await page('empty', { name: 'Nothing yet', accent_color: '#db2777', description: '' }, []);
  return ['green', 'on-fire', 'many', 'names', 'empty'];
}

/** A page with outages, incidents and a maintenance. */
async function onFire(page, report, create) {
  const ids = await page(
    'on-fire',
    {
      name: 'Northwind Payments',
      accent_color: '#111827',
      description: 'Card payments, payouts and reporting.',
    },
    [
      { title: 'Payments', names: ['Card payments', 'Bank transfers', 'Payouts', 'Refunds'] },
      { title: 'Developers', names: ['API', 'Webhooks', 'Dashboard', 'Sandbox'] },
    ],
  );
  await report(ids.flatMap((id, index) => history(id, index, [2, 1, 0, undefined, 2, 0][index])));
  const [cards, transfers, payouts, , api] = ids;
  const incident = await create('/incidents', {
    title: 'Card payments fail in all regions',
    status: 'investigating',
    body: 'Since 12:04 UTC **most card payments fail**. We are looking for the cause.',
    started_at: ago(70),
    monitors: [
      { monitor_id: cards, status: 'major_outage' },
      { monitor_id: transfers, status: 'partial_outage' },
      { monitor_id: api, status: 'major_outage' },
    ],
  });
  await create(`/incidents/${incident.id}/updates`, {
    project_id: undefined,
    status: 'identified',
    body: 'A certificate of the payment network has expired. A new one is being installed:\n\n- Europe: done\n- America: in progress\n- Asia: next',
  });
  await create('/incidents', {
    title: 'Payouts are delayed',
    status: 'monitoring',
    body: 'Payouts of this morning arrive up to three hours late. No money is lost.',
    monitors: [{ monitor_id: payouts, status: 'degraded_performance' }],
  });
  const past = await create('/incidents', {
    title: 'Dashboard does not load',
    status: 'investigating',
    body: 'The dashboard shows an error.',
    started_at: ago(3 * DAY),
    monitors: [{ monitor_id: ids[6], status: 'major_outage' }],
  });
  await create(`/incidents/${past.id}/updates`, {
    project_id: undefined,
    status: 'resolved',
    body: 'The dashboard works again.',
    posted_at: ago(3 * DAY - 95),
  });
  await create('/maintenances', {
    title: 'Move to another data center',
    body: 'The sandbox is **not available** while we move it.',
    starts_at: ago(30),
    ends_at: ago(-90),
    monitor_ids: [ids[7]],
  });
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
