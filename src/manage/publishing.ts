import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { PublicUrl } from '../platform/config/public-url.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { DryRuns } from '../platform/dry-run/dry-runs.js';
import { IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { Problem, validationFailed } from '../platform/problems/problem.js';
import { UUID_PATTERN } from '../platform/validation/uuid.js';
import { type Checked, type Errors, errorsOf, type Labels } from './errors-of-fields.js';
import { goTo, Reply } from './reply.js';
import type { Visit } from './visit.js';

/** Cookie with the key of the form that was saved last. The script then deletes what it has kept of the form. */
const DONE = 'manage-done';
const DONE_SECONDS = 60;

/** A double click sends a form twice within this time. */
const WAIT_MS = 50;
const MAX_WAITS = 100;

/** Steps that only show a form again, for example with other monitors. */
const CHANGES = new Set(['change', 'find']);

/** Fields that say what to do with a form, and are no part of what it publishes. */
const CONTROL = new Set(['token', 'step', 'find']);

/** A form with two steps: it is reviewed, then published. */
export interface Steps<Dto, Result> {
  labels: Labels;
  checked: Checked<Dto>;
  /** Publishes the form. Runs dry for the review. */
  write: (value: Dto) => Promise<Result>;
  /** Reads what the review shows of a written change, before it is rolled back. */
  look?: () => Promise<void>;
  /** Shows the form again. */
  form: (errors?: Errors) => Promise<Reply>;
  /**
   * Shows what will be published.
   * @param key makes the publication happen once
   */
  review: (result: Result, reach: DryRunNotificationsDto, key: string, value: Dto) => Promise<Reply>;
  /** Returns the path of the screen that follows. */
  done: (result: Result) => string;
  /** Shows the form beside what another member has changed since it was opened. */
  conflict?: () => Promise<Reply>;
}

/** Reviews and publishes what members write. */
@Injectable()
export class Publishing {
  constructor(
    private readonly dryRuns: DryRuns,
    private readonly idempotency: IdempotencyService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /**
   * Runs the step of a sent form: `change` and `find` show it again, and its errors do not matter yet; `publish` publishes it once,
   * everything else reviews it.
   * @throws the errors of the service that are not about fields of the form
   */
  async run<Dto, Result>(visit: Visit, { checked, ...steps }: Steps<Dto, Result>): Promise<Reply> {
    const step = visit.sent.get('step') ?? '';
    if (CHANGES.has(step)) return steps.form();
    if (checked.errors) return steps.form(checked.errors);
    const { value } = checked;
    try {
      if (step === 'publish')
        return await this.once(visit, async () => goTo(steps.done(await steps.write(value))));
      const { result, dry_run } = await this.dryRuns.run({
        write: async () => {
          const written = await steps.write(value);
          await steps.look?.();
          return written;
        },
        read: async () => [],
        organization: () => visit.actor.organization_id,
      });
      return await steps.review(result, dry_run.notifications, randomUUID(), value);
    } catch (error) {
      if (error instanceof Problem && error.code === 'precondition_failed' && steps.conflict)
        return steps.conflict();
      return steps.form(errorsOf(error, steps.labels));
    }
  }

  /**
   * Runs a form at most once for its field `key`. A form that is sent again gets the same response.
   * @param kept returns the response that is stored for a form that is sent again, which must not contain a secret
   * @throws Problem 400 `validation_failed` without a key; the errors of `handle`
   */
  async once(
    { actor, session, sent }: Visit,
    handle: () => Promise<Reply>,
    kept: (reply: Reply) => Reply = (reply) => reply,
  ): Promise<Reply> {
    const key = sent.get('key') ?? '';
    if (!UUID_PATTERN.test(key))
      throw validationFailed([{ code: 'required', detail: 'is required', pointer: '#/key' }]);
    const { organization_id, project_ids } = actor;
    const request = {
      api_key: { lineage: session.actor.id, organization_id },
      key,
      fingerprint: hashOf([...sent].filter(([name]) => !CONTROL.has(name)).join('\n')),
      projects: project_ids ? hashOf(project_ids.toSorted().join()) : Buffer.of(),
      handle,
      responseTo: kept,
      responseToError: () => undefined,
    };
    for (let waits = 0; ; waits++)
      try {
        const stored = await this.idempotency.run(request);
        return this.confirmed(
          key,
          stored instanceof Reply ? stored : goTo(stored.headers['Location'] ?? '/manage'),
        );
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { Location } = error.headers;
        if (error.code === 'idempotency_response_not_kept' && Location !== undefined)
          return this.confirmed(key, goTo(Location));
        if (error.code !== 'idempotency_key_in_use' || waits >= MAX_WAITS) throw error;
        await delay(WAIT_MS);
      }
  }

  /** Adds the cookie that confirms a saved form to the script. */
  private confirmed(key: string, { status, headers, body }: Reply): Reply {
    const secure = this.publicUrl.value.startsWith('https:') ? '; Secure' : '';
    const cookie = `${DONE}=${key}; Path=/manage; Max-Age=${DONE_SECONDS}; SameSite=Strict${secure}`;
    return new Reply(status, { ...headers, 'Set-Cookie': cookie }, body);
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Returns the version that the sent form was made for. A wrong one matches no version. */
export function versionIn(sent: URLSearchParams): Date[] {
  const version = new Date(sent.get('updated_at') ?? '');
  return Number.isNaN(version.getTime()) ? [] : [version];
}
