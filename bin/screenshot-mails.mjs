// Messages that bin/screenshots.mjs draws, written as .eml files by the code in dist/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';

const BASE = 'https://status.example.com/status/lighthouse';
const TOKEN = `st_${'A'.repeat(54)}`;
const LINKS = { subject: `${BASE}/incidents/1`, manage: `${BASE}/subscription/${TOKEN}` };
const PAGE = {
  name: 'Lighthouse',
  slug: 'lighthouse',
  is_public: true,
  accent_color: '#4f46e5',
  language: 'en',
  time_zone: 'Europe/Berlin',
};

const API = { monitor_id: '1', name: 'API', status: 'degraded_performance' };
const WEBHOOKS = { monitor_id: '2', name: 'Webhooks', status: 'partial_outage' };

const LONG = `## What happens

A node of the cache has failed. Some requests take **several seconds**, and a few fail with \`503 Service Unavailable\`.

| Region             | Requests that fail | Median response time |
| ------------------ | ------------------ | -------------------- |
| Europe (Frankfurt) | 4 %                | 2.4 s                |
| US East (Virginia) | 0.1 %              | 180 ms               |

Clients can retry:

\`\`\`sh
curl --retry 5 --retry-all-errors https://api.example.com/v1/projects?include=members,settings,integrations
\`\`\`

> Writes are not affected.

1. We replace the node.
2. We move traffic back.

See [the documentation](https://docs.example.com/retries).`;

/** Returns the content of mail about an incident. */
function incident(type, status, body, { title = 'Slow responses from the API', affected = [] } = {}) {
  return {
    type,
    incident: { id: '1', title, status, affected_now: affected, postmortem: null },
    update: { id: '2', status, body, affected, posted_at: new Date('2026-11-20T13:50:00Z') },
  };
}

function maintenance(type) {
  return {
    type,
    maintenance: {
      id: '1',
      title: 'Database upgrade',
      body: 'Writes are delayed for a few minutes. Reads are not affected.',
      starts_at: new Date('2026-12-01T22:00:00Z'),
      ends_at: new Date('2026-12-02T00:00:00Z'),
      monitors: [API, WEBHOOKS],
    },
  };
}

/** Each message by its name: the page, and its content or its kind. */
const MAILS = {
  created: [
    PAGE,
    incident(
      'incident.created',
      'investigating',
      'Some requests take several seconds. We are looking into it.',
      {
        affected: [API],
      },
    ),
  ],
  updated: [PAGE, incident('incident.updated', 'identified', LONG, { affected: [API, WEBHOOKS] })],
  resolved: [PAGE, incident('incident.resolved', 'resolved', 'Response times are normal again.')],
  scheduled: [PAGE, maintenance('maintenance.scheduled')],
  cancelled: [PAGE, maintenance('maintenance.cancelled')],
  confirmation: [PAGE, 'confirmation'],
  subscribed: [PAGE, 'subscribed'],
  pale: [
    { ...PAGE, name: 'Sunrise', accent_color: '#fde047' },
    incident('incident.created', 'investigating', 'We are [looking](https://docs.example.com) into it.'),
  ],
  long: [
    {
      ...PAGE,
      name: 'The status of all services of the Lighthouse Hosting and Domain Company',
      accent_color: '#111827',
    },
    incident('incident.created', 'investigating', `${'Requests fail. '.repeat(60)}\n\n${'x'.repeat(120)}`, {
      title:
        'Requests to the API, to the dashboard and to all custom domains in Europe and Asia fail with errors',
      affected: [API],
    }),
  ],
  ja: [
    { ...PAGE, name: '灯台クラウド', language: 'ja', time_zone: 'Asia/Tokyo' },
    incident(
      'incident.created',
      'investigating',
      '一部のリクエストに数秒かかっています。原因を調査しています。',
      {
        title: 'API の応答が遅い',
        affected: [API],
      },
    ),
  ],
  pt: [
    { ...PAGE, name: 'Farol', language: 'pt', time_zone: 'America/Sao_Paulo', accent_color: '#0f766e' },
    incident('incident.created', 'investigating', 'Algumas requisições demoram vários segundos.', {
      title: 'Respostas lentas da API',
      affected: [API],
    }),
  ],
  'pt-confirmation': [{ ...PAGE, name: 'Farol', language: 'pt', accent_color: '#0f766e' }, 'confirmation'],
};

export const MAIL_NAMES = Object.keys(MAILS);

/**
 * Writes a message to a file as the service does, and returns its HTML.
 * @param {string} name one of MAIL_NAMES
 * @param {string} directory for the file
 */
export async function mailHtml(name, directory) {
  const dist = '../dist/modules/src';
  const { MailTransport } = await import(`${dist}/mail/mail-transport.js`);
  const [page, about] = MAILS[name];
  const transport = new MailTransport(
    { MAIL_DIR: join(directory, name), MAIL_FROM: 'Lighthouse <status@example.com>' },
    { value: 'https://status.example.com' },
    { info: () => undefined },
  );
  transport.onModuleInit();
  const content = { ...(await contentOf(page, about, dist)), to: 'jane@example.org', key: name };
  const { kind } = await transport.send({ ...content, unsubscribe: `${BASE}/unsubscribe/${TOKEN}` });
  if (kind !== 'accepted') throw new Error(`${name}: ${kind}`);
  const [file = ''] = readdirSync(join(directory, name));
  return String((await simpleParser(readFileSync(join(directory, name, file)))).html);
}

async function contentOf(page, about, dist) {
  const { confirmationMail, subscribedMail } = await import(`${dist}/mail/components/subscription-mail.js`);
  if (about === 'confirmation') return confirmationMail(page, `${BASE}/confirm/${TOKEN}`);
  if (about === 'subscribed') return subscribedMail(page, LINKS.manage);
  const { eventMail } = await import(`${dist}/mail/components/event-mail.js`);
  const { incidentSubject, maintenanceSubject } = await import(`${dist}/mail/mail-subjects.js`);
  return eventMail(page, (about.incident ? incidentSubject : maintenanceSubject)(page, about), LINKS);
}
