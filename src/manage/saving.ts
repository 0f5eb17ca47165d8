import { Injectable } from '@nestjs/common';
import { Problem } from '../platform/problems/problem.js';
import { type Checked, type Errors, errorsOf, type Labels } from './errors-of-fields.js';
import { IncidentReader } from './incident-reader.js';
import { Publishing } from './publishing.js';
import { goTo, type Reply } from './reply.js';
import type { Visit } from './visit.js';

/** Reason why a form has not been saved. */
export interface Prevented {
  errors?: Errors;
  /** Another member or key has changed the resource since the form was opened. `author`: undefined if it is not recorded. */
  theirs?: { author: string | undefined };
}

/** A form that is saved without a review. */
export interface Saved<Dto> {
  labels: Labels;
  checked: Checked<Dto>;
  /** ID of the resource that the form changes; undefined for a new one. */
  id?: string;
  /** Writes the form. Returns the path of the screen that follows. */
  write: (value: Dto) => Promise<string>;
  /** Shows the form again. */
  form: (prevented: Prevented) => Promise<Reply>;
}

/** Saves what members write, at most once for each form. */
@Injectable()
export class Saving {
  constructor(
    private readonly publishing: Publishing,
    private readonly reader: IncidentReader,
  ) {}

  /**
   * Saves a form, or shows it again with the reason that prevents it.
   * @throws the errors of the service that are not about fields of the form
   */
  async run<Dto>(visit: Visit, { labels, checked, id, write, form }: Saved<Dto>): Promise<Reply> {
    if (checked.errors) return form({ errors: checked.errors });
    const { value } = checked;
    try {
      return await this.publishing.once(visit, async () => goTo(await write(value)));
    } catch (error) {
      return form(await this.prevented(visit, error, labels, id));
    }
  }

  /**
   * Deletes a resource, or asks again with the reason that prevents it.
   * @throws the errors of the service that are not about the resource's version or a conflict
   */
  async delete(
    visit: Visit,
    id: string,
    remove: () => Promise<string>,
    ask: (prevented: Prevented) => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return goTo(await remove());
    } catch (error) {
      return ask(await this.prevented(visit, error, {}, id));
    }
  }

  private async prevented(
    { actor }: Visit,
    error: unknown,
    labels: Labels,
    id: string | undefined,
  ): Promise<Prevented> {
    const isStale = error instanceof Problem && error.code === 'precondition_failed';
    if (!isStale || id === undefined) return { errors: errorsOf(error, labels) };
    return { theirs: { author: await this.reader.lastAuthor(actor, id) } };
  }
}

/** Returns the status of a response with a form. */
export function statusOf({ errors, theirs }: Prevented): number {
  if (errors) return 400;
  return theirs ? 409 : 200;
}
