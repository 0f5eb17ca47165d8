import { beforeAll, expect, it } from 'vitest';
import { renderNotFound, renderUnavailable } from '../../src/page-documents/components/message-page.js';
import { renderStart } from '../../src/page-documents/components/start-page.js';
import { useTenant, useTestServer } from '../support/server.js';
import { createExamples, type Example, STARTED_PAGES } from './html-examples.js';
import { faultsOf } from './html-faults.js';

const server = useTestServer();
const tenant = useTenant(server);
let examples: Example[];
beforeAll(async () => {
  examples = await createExamples(server, tenant);
});

it('every kind of public page is valid HTML by all rules of html-validate', async () => {
  const faults: Record<string, string[]> = {};
  for (const { name, path, status } of examples) {
    const response = await fetch(server.url + path);
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const found = faultsOf(await response.text());
    if (found.length > 0) faults[name] = found;
  }
  expect(faults).toEqual({});
});

it.each([
  [
    'start page',
    renderStart({
      pages: STARTED_PAGES,
      console_path: '/manage',
      docs_path: '/docs',
      key_command: 'npm run cli',
    }),
  ],
  ['404 page', renderNotFound()],
  ['page without a database', renderUnavailable()],
])('the %s is valid HTML by all rules of html-validate', (_, { body }) => {
  expect(faultsOf(body)).toEqual([]);
});
