import { Injectable } from '@nestjs/common';
import type { Actor } from '../platform/auth/actor.js';
import { JoinedTransaction } from '../platform/database/joined-transaction.js';
import { notFound, Problem } from '../platform/problems/problem.js';
import { RequestCounts } from '../platform/server/request-counts.js';
import { ChecksRepository } from './checks.repository.js';
import type { CheckRunDto } from './dto/check-run.dto.js';
import { HeaderSecrets } from './header-secrets.js';
import { Prober } from './probes/prober.js';
import { targetOf, timeoutOf } from './stored-probe.js';

/** Maximum number of runs a minute. */
const RUNS_OF_CHECK = 10;
const RUNS_OF_ORGANIZATION = 60;

/** Runs checks on request. */
@Injectable()
export class CheckRunsService {
  constructor(
    private readonly repository: ChecksRepository,
    private readonly secrets: HeaderSecrets,
    private readonly prober: Prober,
    private readonly counts: RequestCounts,
    private readonly joined: JoinedTransaction,
  ) {}

  /**
   * Runs an enabled or disabled check, and returns its result. Records nothing.
   * @param wait runs the probe, which takes up to 30 seconds and uses no database
   * @throws Problem 404 `not_found`; 429 `rate_limited`; 409 `conflict` if the instance cannot decrypt the headers
   */
  async run(
    actor: Actor,
    id: string,
    wait: <Result>(work: () => Promise<Result>) => Promise<Result>,
  ): Promise<CheckRunDto> {
    const probe = await this.repository.findProbe(actor, id);
    if (!probe) throw notFound('check');
    await this.count(`check-run:${id}`, RUNS_OF_CHECK, 'runs of a check');
    await this.count(`check-run:${actor.organization_id}`, RUNS_OF_ORGANIZATION, 'runs of an organization');
    const target = targetOf(probe, this.secrets);
    if (!target)
      throw new Problem('conflict', {
        detail:
          'The server does not have the key that encrypted the headers any more. Set the headers again.',
      });
    const started_at = new Date();
    const never = new AbortController().signal;
    // Outside, because the turn's next request begins in this context.
    const result = await this.joined.outside(() =>
      wait(() => this.prober.probe(target, timeoutOf(probe), never)),
    );
    return { started_at, ...result };
  }

  /** @throws Problem 429 `rate_limited` */
  private async count(name: string, limit: number, what: string): Promise<void> {
    const { used, secondsLeft } = await this.counts.add({ name, limit });
    if (used > limit)
      throw new Problem('rate_limited', {
        detail: `At most ${limit} ${what} per minute. Retry in ${secondsLeft} seconds.`,
        headers: { 'Retry-After': String(secondsLeft) },
      });
  }
}
