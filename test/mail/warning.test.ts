import type { Logger } from 'pino';
import { expect, it, vi } from 'vitest';
import { AccessRulesService } from '../../src/access/access-rules.service.js';
import { warnOfMissingMailServer } from '../../src/mail/mail-warning.js';
import { Env } from '../../src/platform/config/env.js';
import { LOGGER } from '../../src/platform/logging/logging.module.js';
import { PageLookupService } from '../../src/status-pages/page-lookup.service.js';
import { useAccess } from '../access/use-access.js';
import { useTenant, useTestServer } from '../support/server.js';

const server = useTestServer();
const tenant = useTenant(server);

/** Returns the warnings of a startup with these variables. */
async function warningsWith(variables: Partial<Env>): Promise<unknown[]> {
  const logger = server.app.get<Logger>(LOGGER);
  const warn = vi.spyOn(logger, 'warn').mockReturnValue();
  await warnOfMissingMailServer(
    server.app.get(PageLookupService),
    server.app.get(AccessRulesService),
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

it('warns if a private status page lets in visitors by mail, but no mail can be sent', async () => {
  const access = useAccess(server, tenant);
  const { id } = await server.page(tenant, { is_public: false });
  const message = 'SMTP_URL is not set; private status pages do not offer links by mail';
  expect(await warningsWith({})).not.toContain(message);
  const { status } = await access.put(id, { email_domains: ['acme.com'] });
  expect(status).toBe(200);
  expect(await warningsWith({})).toContain(message);
  expect(await warningsWith({ SMTP_URL: 'smtp://localhost' })).toEqual([]);
});
