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
    const ofOrganization = { name: `check-run:${actor.organization_id}`, limit: RUNS_OF_ORGANIZATION };
    await this.counts.require({ name: `check-run:${id}`, limit: RUNS_OF_CHECK }, 'runs of a check');
    await this.counts.require(ofOrganization, 'runs of an organization');
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
}
