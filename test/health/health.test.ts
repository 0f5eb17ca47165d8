import { describe, expect, it } from 'vitest';
import { useTestServer } from '../support/server.js';

const server = useTestServer();

describe('health', () => {
  it('is told without a key: live says that the process answers, ready that the database does', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, body } = await server.ask(path);
      expect([status, body]).toEqual([200, { data: { status: 'ok' } }]);
    }
  });
});
