import { describe, expect, it } from 'vitest';
import { servedLinks } from '../../../src/page-model/links.js';
import { API_DOCUMENTS, FEED_FORMATS, type Part } from '../../../src/page-model/parts.js';
import { PageRenderer } from '../../../src/page-documents/rendering/page-renderer.service.js';
import { until } from '../../support/server.js';
import { useFeeds } from './use-feeds.js';

const { server, monitorIn, post, incident, maintenance, pageOf } = useFeeds();

const PARTS: [path: string, part: Part][] = [
  ...FEED_FORMATS.map((format): [string, Part] => [`feed.${format}`, { kind: 'feed', format }]),
  ['maintenance.ics', { kind: 'calendar' }],
  ...API_DOCUMENTS.map((document): [string, Part] => [`${document}.json`, { kind: 'api', document }]),
  ['badge.svg', { kind: 'badge', format: 'svg' }],
  ['badge.json', { kind: 'badge', format: 'json' }],
  ['og-image.png', { kind: 'og-image' }],
];

describe('feeds, calendar, badges, pictures and JSON documents', () => {
  it('keep their bytes over time and after reports that repeat the status', async () => {
    const id = await monitorIn('operational');
    const { id: pageId } = await pageOf([id]);
    await incident({ [id]: 'partial_outage' });
    await maintenance(1, 2, { monitor_ids: [id] });
    await maintenance(-1, 1, { monitor_ids: [id] });
    // Rendered each time, as for a visitor without a cached copy.
    const render = async () =>
      Promise.all(
        PARTS.map(async ([path, part]) => {
          const document = await server.app
            .get(PageRenderer)
            .render(pageId, part, (slug) => servedLinks({ public_url: 'https://status.example' }, slug));
          return [path, document?.body];
        }),
      );
    const before = await render();
    const nextSecond = Math.ceil(Date.now() / 1_000) * 1_000 + 1;
    await until(async () => Date.now() > nextSecond);
    expect((await post([{ monitor_id: id, status: 'operational' }])).body.data.changed).toBe(0);
    expect(await render()).toEqual(before);
    expect(before.filter(([, body]) => !body)).toEqual([]);
  });
});
