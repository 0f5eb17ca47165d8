import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

describe('GET /health/live and /health/ready', () => {
  it('do not require an API key', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await server.ask(path);
      expect([status, body]).toEqual([200, { data: { status: 'ok' } }]);
    }
  });
});
