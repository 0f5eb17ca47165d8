import { Injectable } from '@nestjs/common';
import type { Reply } from './reply.js';
import { type Deletion, renderDeletion } from './resource-form.js';
import { type Prevented, Saving } from './saving.js';
import type { Visit } from './visit.js';

/** A question before a deletion, without the reason that has prevented it. */
type Question = Omit<Deletion, 'prevented'>;

/** Asks before a resource is deleted, and deletes it. */
@Injectable()
export class Deletions {
  constructor(private readonly saving: Saving) {}

  /**
   * Deletes a resource if the button of the question was pressed. Otherwise asks, for example after another sign-in.
   * @param question reads the resource, whose version the form contains. @throws Problem 404 `not_found`
   * @param remove returns the path of the screen that follows
   */
  async run(
    visit: Visit,
    id: string,
    question: () => Promise<Question>,
    remove: () => Promise<string>,
  ): Promise<Reply> {
    const ask = async (prevented?: Prevented) =>
      renderDeletion(visit, { ...(await question()), ...(prevented && { prevented }) });
    return visit.sent.get('step') === 'delete' ? this.saving.delete(visit, id, remove, ask) : ask();
  }
}
