import { TEXT_OF_STATUS } from '../../incidents/update-texts.js';
import type { MaintenanceUpdateData, UpdateData } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';

/**
 * Returns the Markdown of an update in the language of the view. Updates without a text of their own are stored with the English
 * sentence of their status, so an equal text is that sentence.
 */
export function updateText({ words }: View, update: UpdateData | MaintenanceUpdateData): string {
  const { body } = update;
  return 'status' in update && body === TEXT_OF_STATUS[update.status]
    ? words.update_text[update.status]
    : body;
}
