import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/problems/problem.js';
import { type Checked, type Errors, errorsOf, type Labels } from '../errors-of-fields.js';
import { Publishing } from '../publishing.js';
import { goTo, type Reply } from '../reply.js';
import type { Visit } from '../visit.js';

/** A form that changes a page without a review. */
export interface PageChange<Dto> {
  labels: Labels;
  checked: Checked<Dto>;
  write: (value: Dto) => Promise<unknown>;
  /** Shows the form again. */
  form: (errors: Errors) => Promise<Reply>;
  /** Shows the form beside what another member has changed since it was opened. */
  conflict: () => Promise<Reply>;
  /** Path of the screen that follows. */
  done: string;
}

/** Saves the forms of a page. */
@Injectable()
export class PageChanges {
  constructor(private readonly publishing: Publishing) {}

  /**
   * Saves a form at most once for its field `key`.
   * @throws the errors of the service that are not about fields of the form
   */
  async run<Dto>(visit: Visit, change: PageChange<Dto>): Promise<Reply> {
    const { labels, checked, write, form, conflict, done } = change;
    if (checked.errors) return form(checked.errors);
    const { value } = checked;
    try {
      return await this.publishing.once(visit, async () => {
        await write(value);
        return goTo(done);
      });
    } catch (error) {
      if (error instanceof Problem && error.code === 'precondition_failed') return conflict();
      return form(errorsOf(error, labels));
    }
  }
}
