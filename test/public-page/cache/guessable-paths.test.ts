import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { PageReader } from '../../../src/page-model/page-reader.service.js';
import { until } from '../../support/server.js';
import { useVisits } from './use-visits.js';

const { server, page, visit } = useVisits();

let release: () => void = () => undefined;
afterEach(() => release());

/** Lets the database respond to the readings that begin from now until `end` only after `release`, and counts them. */
function hold(): { begun: number; end: () => void } {
  const reader = server.app.get(PageReader, { strict: false });
  const read = reader.read.bind(reader);
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = { begun: 0, end: () => void (reader.read = read) };
  reader.read = async (id, task) => {
    held.begun += 1;
    await released;
    return read(id, task);
  };
  return held;
}

describe('visits of paths that visitors can guess', () => {
  it.each([
    ['incidents', () => `incidents/${randomUUID()}`],
    ['months', (index: number) => `history?month=2026-0${index + 1}`],
  ])('leave their status page a turn: %s', async (_name, pathOf) => {
    const { slug } = await page();
    const held = hold();
    const sent = Array.from({ length: 8 }, (_, index) => visit(`${slug}/${pathOf(index)}`));
    await until(async () => held.begun > 0);
    held.end();
    expect((await visit(slug)).status).toBe(200);
    expect(held.begun).toBe(1);
    release();
    for (const { status } of await Promise.all(sent)) expect([200, 404]).toContain(status);
  });
});
