import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/expectations.js';
import { routesOf } from '../support/routes.js';
import { useTestServer } from '../support/server.js';

const server = useTestServer({ CONSOLE: 'off' });

describe('CONSOLE=off', () => {
  it('leaves out all routes of /manage', async () => {
    expect(routesOf(server.app).filter(({ path }) => path.startsWith('/manage'))).toEqual([]);
    for (const path of ['/manage', '/manage/sign-in'])
      expectProblem(await server.ask(path), 404, 'not_found');
  });
});
