import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, EVENTS, isMailed } from '../../src/events/event-types.js';
import { allEvents } from '../webhooks/content/all-events.js';
import { useContent } from '../webhooks/content/use-content.js';
import { useMailBench } from './use-channel.js';

const bench = useMailBench();

describe('each type of event', () => {
  it("causes mail to the page's subscribers only if EVENTS contains mail for it", async () => {
    const texts = { name: 'API', title: 'Errors', body: 'We **see** it.' };
    const content = useContent(bench.server, bench.tenant);
    const subscribers = new Map<string, string>();
    const sent: string[] = [];
    for await (const { type, page, resource_id } of allEvents(bench.server, bench.tenant, content, texts)) {
      const subscriber = subscribers.get(page) ?? (await bench.subscriber({}, page));
      subscribers.set(page, subscriber);
      const event = await bench.eventOf(resource_id, type);
      const wanted = EVENTS[type].mail === null ? [] : [subscriber];
      expect([type, await bench.recipientsOf(event)]).toEqual([type, wanted]);
      if (wanted.length === 0) continue;
      expect([type, await bench.send(subscriber, event)]).toEqual([type, { kind: 'delivered' }]);
      const { subject, text, html } = await bench.last();
      expect([type, subject]).toEqual([type, expect.stringMatching(/^\[API\] .*Errors/)]);
      expect([type, `${text} ${String(html)}`]).toEqual([
        type,
        expect.not.stringMatching(/undefined|\[object/),
      ]);
      sent.push(type);
    }
    expect(sent.toSorted()).toEqual(EVENT_TYPES.filter(isMailed).toSorted());
  });
});
