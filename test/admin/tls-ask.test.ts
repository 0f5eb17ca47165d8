import { afterEach, describe, expect, it } from 'vitest';
import { AdminServer } from '../../src/platform/admin/admin-server.js';

const opened = new Set<AdminServer>();
afterEach(async () => {
  for (const server of opened) await server.close();
  opened.clear();
});

/** Opens an admin server with these domains. Returns a function that asks it. */
async function open(domains: string[]) {
  const server = new AdminServer({ metrics: async () => '', ready: async () => false });
  opened.add(server);
  server.changeDomains({ added: domains, removed: [], isComplete: true });
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
  const ask = async (query: string, init?: RequestInit): Promise<number> => {
    const response = await fetch(`${url}/tls/ask${query}`, init);
    await response.text();
    return response.status;
  };
  return { server, ask };
}

describe('GET /tls/ask', () => {
  it('returns 200 for a verified domain in any spelling, otherwise 404, also if the service is not ready', async () => {
    const { ask } = await open(['status.acme.example', 'xn--bcher-kva.example']);
    for (const domain of [
      'status.acme.example',
      'STATUS.Acme.example',
      'status.acme.example.',
      'xn--bcher-kva.example',
      'bücher.example',
      'BÜCHER.example.',
    ])
      expect([domain, await ask(`?domain=${encodeURIComponent(domain)}`)]).toEqual([domain, 200]);
    expect(await ask('?domain=status.acme.example', { method: 'HEAD' })).toBe(200);
    expect(await ask('?domain=status.acme.example', { method: 'POST' })).toBe(405);
    for (const query of [
      '',
      '?domain=',
      '?domain=acme.example',
      '?domain=www.status.acme.example',
      '?domain=status.acme.example%00',
      '?domain=status.acme.example/x',
      '?domain=127.0.0.1',
      '?domain=constructor',
      `?domain=${'a'.repeat(10_000)}`,
      '?name=status.acme.example',
    ])
      expect([query, await ask(query)]).toEqual([query, 404]);
  });

  it('follows changes, and replaces all domains by a complete list', async () => {
    const { server, ask } = await open(['one.example', 'two.example']);
    server.changeDomains({ added: ['three.example'], removed: ['one.example'], isComplete: false });
    await expect.poll(() => ask('?domain=three.example')).toBe(200);
    expect([await ask('?domain=one.example'), await ask('?domain=two.example')]).toEqual([404, 200]);
    server.changeDomains({ added: ['four.example'], removed: [], isComplete: true });
    await expect.poll(() => ask('?domain=four.example')).toBe(200);
    expect([await ask('?domain=two.example'), await ask('?domain=three.example')]).toEqual([404, 404]);
  });

  it('responds within 5 ms with 100,000 domains', async () => {
    const { ask } = await open(Array.from({ length: 100_000 }, (_, index) => `status-${index}.example`));
    const times: number[] = [];
    for (let index = 0; index < 300; index++) {
      const started = performance.now();
      expect(await ask(`?domain=status-${index * 333}.example`)).toBe(200);
      times.push(performance.now() - started);
    }
    expect(times.toSorted((a, b) => a - b)[150]).toBeLessThan(5);
  });
});
