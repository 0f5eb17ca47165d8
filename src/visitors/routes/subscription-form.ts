import type { SubscribePart } from '../../page-model/page-data.js';
import type { FormErrors, FormValues } from '../../page-documents/components/subscription-fields.js';
import { isEmailAddress } from '../../subscribers/email-address.js';
import { DETAILS } from '../../subscribers/subscriber.entity.js';
import type { Choices, Subscription } from '../../subscribers/subscriptions.service.js';

/** Maximum size of a form. One with all 1,000 monitors of a page has less than 50,000 bytes. */
export const MAX_FORM_BYTES = 64 * 1024;

/** Maximum length of an address that is shown again. */
const MAX_SHOWN = 400;

/** Returns the values of a form. Unknown fields are ignored. */
export function valuesIn(fields: URLSearchParams): FormValues {
  return {
    email: (fields.get('email') ?? '').trim().slice(0, MAX_SHOWN),
    systems: fields.get('systems') ?? 'all', // a page without monitors has no such field
    monitor_ids: fields.getAll('monitors[]'),
    detail: fields.get('detail') ?? '',
    maintenances: fields.get('maintenances') === 'on',
  };
}

/**
 * Returns the wrong fields of a form, or its choices.
 * @param limit choices that the form cannot extend to all monitors or to maintenance windows
 */
export function checkChoices(
  { systems, monitor_ids, detail, maintenances }: FormValues,
  sections: SubscribePart['sections'],
  limit?: Choices,
): { errors: FormErrors; choices?: Choices } {
  const known = sections.flatMap(({ monitors }) => monitors.map(({ monitor_id }) => monitor_id));
  const selected = new Set(monitor_ids);
  const most = limit?.monitor_ids ?? null;
  const isWider = systems === 'all' && most !== null && known.length > 0; // otherwise, the form has no such field
  const some = systems === 'all' ? most : known.filter((id) => selected.has(id));
  const knownDetail = DETAILS.find((one) => one === detail);
  const errors: FormErrors = {
    ...(((systems !== 'all' && systems !== 'some') || isWider) && { systems: 'choice_invalid' }),
    ...(systems === 'some' && some?.length === 0 && { systems: 'systems_empty' }),
    ...(!knownDetail && { detail: 'choice_invalid' }),
  };
  const isWrong = !knownDetail || Object.keys(errors).length > 0;
  if (isWrong) return { errors };
  const choices = {
    monitor_ids: some,
    detail: knownDetail,
    maintenances: maintenances && limit?.maintenances !== false,
  };
  return { errors, choices };
}

/** Returns the error of the address. */
export function checkEmail({ email }: FormValues): FormErrors {
  if (email === '') return { email: 'email_empty' };
  // U+FFFD stands for bytes that are not UTF-8.
  return isEmailAddress(email) && !email.includes('\ufffd') ? {} : { email: 'email_invalid' };
}

/** Returns the fields of the form that changes a subscription. */
export function valuesOf({ email, monitor_ids, detail, maintenances }: Subscription): FormValues {
  const systems = monitor_ids === null ? 'all' : 'some';
  return { email, systems, monitor_ids: monitor_ids ?? [], detail, maintenances };
}

/** Returns a page with only the monitors that a subscription names. */
export function onlyNamed(part: SubscribePart, { monitor_ids }: Subscription): SubscribePart {
  const named = new Set(monitor_ids);
  const sections = part.sections.map(({ title, monitors }) => ({
    title,
    monitors: monitors.filter(({ monitor_id }) => named.has(monitor_id)),
  }));
  return { ...part, sections: sections.filter(({ monitors }) => monitors.length > 0) };
}
