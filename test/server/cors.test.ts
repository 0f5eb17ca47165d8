import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Answer, useTestServer } from '../support/server.js';

const server = useTestServer();

describe('CORS', () => {
  const preflight = (path: string, headers: Record<string, string>) =>
    server.ask(path, { method: 'OPTIONS', headers });
  const ofCors = ({ status, headers }: Answer) => [
    status,
    ...['methods', 'headers'].map((what) => headers.get(`access-control-allow-${what}`)),
    headers.get('access-control-max-age'),
    headers.get('allow'),
  ];

  it.each([
    ['/v1/status-pages', 'GET', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/status-pages/x', 'PATCH', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/v1/status-pages/x', 'DELETE', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['/openapi.json', 'GET', 'GET, HEAD, OPTIONS'],
  ])('returns methods and headers for a preflight: %s, %s', async (path, method, methods) => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': method };
    const answer = await preflight(path, headers);
    expect(ofCors(answer)).toEqual([
      204,
      methods,
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, MCP-Protocol-Version',
      '86400',
      methods,
    ]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('preflight responses include the documented headers', async () => {
    const [, named = ''] =
      /allowed request headers:\s([^.]*)\./.exec(readFileSync('docs/api/overview.md', 'utf8')) ?? [];
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' };
    const answer = await preflight('/v1/status-pages', headers);
    expect([...named.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)).toEqual(
      answer.headers.get('access-control-allow-headers')?.split(', '),
    );
  });

  it('returns no preflight headers for a plain OPTIONS', async () => {
    const halves = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
    for (const [name, value] of Object.entries(halves)) {
      const answer = await preflight('/v1/status-pages', { [name]: value });
      expect(ofCors(answer)).toEqual([204, null, null, null, 'GET, HEAD, OPTIONS, POST']);
    }
  });

  it('never allows credentials', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' };
    const answers = [
      await preflight('/v1/status-pages', headers),
      await server.ask('/health/live', { headers }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});
