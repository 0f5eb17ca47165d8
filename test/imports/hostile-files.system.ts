import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { UPPTIME, useImports } from './use-imports.js';

const { server, send } = useImports();

describe('POST /v1/imports/upptime', () => {
  it('rejects alias bombs and unknown tags and keeps serving', async () => {
    const bomb = [
      'a: &a [x]',
      ...[...'bcdefghij'].map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]}, `.repeat(10)}]`),
    ];
    for (const file of [bomb.join('\n'), 'sites: !!js/function "x"', 'sites: !secret x']) {
      expectProblem(await send('upptime', 'application/yaml', file), 400, 'malformed_yaml');
    }
    expect((await send('upptime', 'application/yaml', UPPTIME)).status).toBe(201);
  });
});

describe('POST /v1/imports/{format} with a hostile file', () => {
  const fields = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":1`).join();
  const HOSTILE: [string, string, string, string][] = [
    [
      'statuspage',
      'application/json',
      'a long name with many fields',
      `{"page":{"name":"x"},"components":[],"${'k'.repeat(2_000_000)}":{${fields(200_000)}}}`,
    ],
    [
      'statuspage',
      'application/json',
      'many names',
      `{"page":{"name":"x"},"components":[],${fields(300_000)}}`,
    ],
    [
      'statuspage',
      'application/json',
      'many groups',
      JSON.stringify({
        page: { name: 'x' },
        components: Array.from({ length: 4_900 }, (_, index) => ({
          id: `g${index}`,
          name: 'G',
          position: 1,
          group: true,
        })),
      }),
    ],
    [
      'gatus',
      'application/yaml',
      'aliases of nothing',
      `endpoints: []\na: &a {${Array.from({ length: 2_000 }, (_, index) => `k${index}: `).join()}}\nb: [${'*a,'.repeat(20_000)}]\n`,
    ],
    [
      'gatus',
      'application/yaml',
      'aliases of a long text',
      `a: &n "${'x'.repeat(1_000_000)}"\nendpoints: [${'{name: *n},'.repeat(5_000)}]\n`,
    ],
  ];

  it.each(HOSTILE)(
    'takes less than 4 s of CPU time for %s, %s, with %s',
    async (format, type, _what, file) => {
      const started = process.cpuUsage();
      const { status } = await send(format, type, file, '&dry_run=true');
      expect([200, 400]).toContain(status);
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1e6).toBeLessThan(4);
    },
  );
});

describe('GET /health/live during the import of a large file', () => {
  const SLOW: [string, string, string, string][] = [
    ['upptime', 'application/yaml', 'pairs', `a: [${'x: ,'.repeat(299_000)}]`],
    ['gatus', 'application/yaml', 'keys', Array.from({ length: 299_000 }, (_, i) => `k${i}: 1\n`).join('')],
    [
      'statuspage',
      'application/json',
      'fields',
      `{"page":{"name":"x"},"components":[]${Array.from({ length: 440_000 }, (_, i) => `,"${i}":1`).join('')}}`,
    ],
  ];

  it.each(SLOW)('responds quickly for %s, %s, of %s', async (format, type, _what, file) => {
    const done = new AbortController();
    const imported = send(format, type, file, '&dry_run=true').finally(() => done.abort());
    const started = performance.now();
    let longest = 0;
    while (!done.signal.aborted) {
      const asked = performance.now();
      expect((await server.ask('/health/live')).status).toBe(200);
      await delay(2); // leaves CPU time to the import thread
      longest = Math.max(longest, performance.now() - asked);
    }
    expect([200, 400, 413]).toContain((await imported).status);
    // If the main thread read the file, one request or the pause after it would take most of the time.
    expect(longest).toBeLessThan((performance.now() - started) / 3);
  });
});
