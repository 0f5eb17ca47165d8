import type { Logger } from 'pino';
import { expect, it, vi } from 'vitest';
import { warnOfMissingMailServer } from '../../src/mail/mail-warning.js';
import { Env } from '../../src/platform/config/env.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { PageLookupService } from '../../src/status-pages/page-lookup.service.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Returns the warnings of a startup with these variables. */
async function warningsWith(variables: Partial<Env>): Promise<unknown[]> {
  const logger = server.app.get<Logger>(LOGGER);
  const warn = vi.spyOn(logger, 'warn').mockReturnValue();
  await warnOfMissingMailServer(
    server.app.get(PageLookupService),
    Object.assign(new Env(), variables),
    logger,
  );
  const messages = warn.mock.calls.map(([message]) => message);
  warn.mockRestore();
  return messages;
}

it('warns if a status page takes subscriptions, and this process should send mail but cannot', async () => {
  await server.page(tenant);
  expect(await warningsWith({})).toEqual([]);
  await server.page(tenant, { subscribe_enabled: true });
  expect(await warningsWith({})).toEqual([
    'SMTP_URL is not set; status pages with subscribe_enabled offer feeds only, and no mail is sent',
  ]);
  expect(await warningsWith({ SMTP_URL: 'smtp://localhost' })).toEqual([]);
  expect(await warningsWith({ MAIL_DIR: '/tmp/mail' })).toEqual([]);
  expect(await warningsWith({ DELIVERY: 'off' })).toEqual([]);
});
