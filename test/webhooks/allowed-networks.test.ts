import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,fd00::/8' });
const tenant = useTenant(server);

describe('with WEBHOOK_ALLOWED_NETWORKS, the url', () => {
  const create = (url: string) =>
    server.ask('/v1/webhook-endpoints', {
      method: 'POST',
      key: tenant.key,
      json: { project_id: tenant.project_id, url },
    });

  it.each([
    'http://127.0.0.1:8080/',
    'https://127.0.0.1/',
    'http://[fd00::1]/',
    'http://hooks.example.com/',
    'https://8.8.8.8/',
  ])('%s is accepted', async (url) => {
    expect((await create(url)).status).toBe(201);
  });

  it.each(['http://8.8.8.8/', 'http://10.0.0.1/', 'https://10.0.0.1/', 'ftp://127.0.0.1/'])(
    '%s is rejected',
    async (url) => {
      expectProblem(await create(url), 400, 'validation_failed', {
        code: 'invalid_format',
        pointer: '#/url',
      });
    },
  );
});
