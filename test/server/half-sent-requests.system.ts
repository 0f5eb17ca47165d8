import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/server.js';
import { sendRaw } from '../support/raw-connection.js';

const server = useTestServer();

describe('incomplete request', () => {
  it('fails with 408 after 10 seconds for headers, 30 in total', async () => {
    const answer = await sendRaw(server.url, 'GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(answer).toMatch(/^HTTP\/1.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
    expect(server.app.getHttpServer().requestTimeout).toBe(30_000);
  });
});
