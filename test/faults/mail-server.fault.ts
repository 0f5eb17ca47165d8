import { afterEach, describe, expect, it } from 'vitest';
import { Program } from '../support/process.js';
import { until } from '../support/server.js';
import { Audience } from './support/audience.js';
import { useCluster } from './support/cluster.js';
import { type MailServer, type Rule, useMailServers } from './support/mail-server.js';
import { Service } from './support/service.js';

const cluster = useCluster();
const mailServers = useMailServers();
afterEach(() => Program.killAll());

/** A sending service with its audience. */
async function startSending(
  active: Record<string, number>,
): Promise<{ mail: MailServer; service: Service; audience: Audience }> {
  const mail = await mailServers.start();
  const env = { ...(await cluster.current.database()), ...mail.env };
  const service = await Service.start(env, cluster.current.seed);
  const sql: Parameters<typeof Audience.create>[1] = (statement) =>
    cluster.current.sql(statement, env.DATABASE_URL);
  return { mail, service, audience: await Audience.create(service, sql, active) };
}

const ENOUGH_FOR_ONE = { full: 1, unknown: 1, blocked: 1, greylisted: 3, busy: 3, large: 1 };

describe('mail server', () => {
  it('gets mail again after 421 and 450, but not after 550 and 552', async () => {
    const { mail, service, audience } = await startSending({ ...ENOUGH_FOR_ONE, reader: 50 });
    const permanent: Rule[] = [
      { at: 'rcpt', to: 'unknown', reply: [550, '5.1.1 no such user'] },
      { at: 'rcpt', to: 'blocked', reply: [550, '5.7.1 not welcome'] },
      { at: 'rcpt', to: 'full', reply: [552, '5.2.2 mailbox full'] },
      { at: 'data', to: 'large', reply: [552, '5.3.4 message too big'] },
    ];
    await mail.obey(
      ...permanent,
      { at: 'rcpt', to: 'busy', reply: [421, '4.3.2 try later'] },
      { at: 'rcpt', to: 'greylisted', reply: [450, '4.2.0 greylisted'] },
    );
    await audience.happen('Refused');
    const isTried = `deliveries.status <> 'pending' OR error IS NOT NULL`;
    await until(async () => (await audience.deliveries(isTried)).length === 60);
    // After 421, the connection is closed. Which error the service sees first is a matter of time.
    const rejected = (await audience.deliveries('error IS NOT NULL')).map((one) => ({
      ...one,
      error: one.to.startsWith('busy') ? '' : one.error,
    }));
    expect(
      new Set(
        rejected.map(({ to, status, attempts, error }) =>
          [to.split('-')[0], status, attempts, error].join(', '),
        ),
      ),
    ).toEqual(
      new Set([
        'blocked, failed, 1, RCPT TO 550 5.7.1',
        'busy, pending, 1, ',
        'full, failed, 1, RCPT TO 552 5.2.2',
        'greylisted, pending, 1, RCPT TO 450 4.2.0',
        'large, failed, 1, DATA 552 5.3.4',
        'unknown, failed, 1, RCPT TO 550 5.1.1',
      ]),
    );
    for (const { due_in, status } of rejected) if (status === 'pending') expect(due_in).toBeGreaterThan(30);
    await mail.obey(...permanent);
    await audience.isFinished({ isHurried: true });
    for (const failed of ['full', 'unknown', 'blocked', 'large']) audience.leaves(failed);
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set());

    // 5.1.1 suppresses immediately, the others only after a second rejection on another day.
    await mail.obey();
    await audience.happen('Accepted');
    await audience.isFinished();
    const second = (await mail.receipts()).filter(({ subject }) => subject.includes('Accepted'));
    for (const again of ['full', 'blocked', 'large'])
      expect(second.filter(({ to }) => to.startsWith(again))).toHaveLength(1);
    expect(second.filter(({ to }) => to.startsWith('unknown'))).toEqual([]);
    await service.stop();
  });

  it('delays no other mail if it hangs after DATA or responds after the timeout', async () => {
    const { mail, service, audience } = await startSending({ hanging: 1, late: 1, reader: 200 });
    await mail.obey(
      { at: 'data', to: 'hanging', fault: 'hang', times: 1 },
      { at: 'data', to: 'late', late_ms: 40_000, times: 1 },
    );
    await audience.happen('Slow');
    const isToReader = ({ to }: { to: string }) => to.startsWith('reader');
    await until(async () => (await mail.receipts()).filter((one) => isToReader(one)).length === 200);
    expect(await audience.deliveries(`error IS NOT NULL`)).toEqual([]); // before the timeout
    await until(async () => (await audience.deliveries(`error IS NOT NULL`)).length === 2);
    await audience.isFinished({ isHurried: true });
    // The service cannot know that the late message was accepted.
    const late = 'late-1@example.org: [Acme] Slow';
    expect(audience.expectDelivered(await mail.receipts())).toEqual(new Set([late]));
    await service.stop();
  });

  it('gets the rest after it has died, but nothing for those who have left', async () => {
    const { mail, service, audience } = await startSending({ leaving: 40, complaining: 40, reader: 400 });
    await mail.obey(
      { at: 'data', to: 'leaving', fault: 'die' },
      { at: 'data', to: 'complaining', fault: 'die' },
      { at: 'data', to: 'reader-40', fault: 'die' },
    );
    await audience.happen('Dead');
    await mail.dies();
    await until(async () => (await audience.deliveries('error IS NOT NULL')).length > 0);
    const before = await mail.receipts();
    await audience.erase('leaving');
    await audience.suppress('complaining');
    await mail.restart();
    await audience.isFinished({ isHurried: true });
    const gone = (await mail.receipts()).slice(before.length).filter(({ to }) => !audience.active.has(to));
    expect(gone).toEqual([]);
    const receipts = (await mail.receipts()).filter(
      (one) => audience.active.has(one.to) || !before.includes(one),
    );
    const repeated = audience.expectDelivered(receipts);
    expect(repeated.size).toBeLessThanOrEqual(10);
    await service.stop();
  });
});
