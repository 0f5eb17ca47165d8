import { IntersectionType, PickType } from '@nestjs/swagger';
import type { FormErrors, FormValues } from '../../page-documents/components/subscription-fields.js';
import type { SubscribePart } from '../../page-model/page-data.js';
import { Choice, UuidList } from '../../platform/validation/fields.js';
import type { SentForm } from '../../platform/validation/form.js';
import { SubscriberDto } from '../../subscribers/dto/subscriber.dto.js';
import type { Choices, Subscription } from '../../subscribers/subscriptions.service.js';
import { AddressForm, emailError } from './address-form.js';

/** Maximum size of a form. One with all 1,000 monitors of a page has less than 50,000 bytes. */
export const MAX_FORM_BYTES = 64 * 1024;

/** Maximum number of monitors of a page. */
const MAX_MONITORS = 1_000;

/** The form that changes a subscription. */
export class ChoicesForm extends PickType(SubscriberDto, ['detail', 'maintenances'] as const) {
  @Choice({
    of: ['all', 'some'],
    optional: true,
    description: 'All monitors, or only `monitors`. The form of a page without monitors has no such field.',
  })
  systems?: 'all' | 'some';

  @UuidList({ max: MAX_MONITORS, description: 'Selected monitors.' })
  monitors!: string[];
}

/** The form that subscribes an address. */
export class SubscribeForm extends IntersectionType(ChoicesForm, AddressForm) {}

/** Maximum length of an address that is shown again. */
const MAX_SHOWN = 400;

/** Returns the values of a form, as sent. */
export function valuesIn({ sent: fields }: SentForm<ChoicesForm>): FormValues {
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
  { sent, value, errors: found }: SentForm<ChoicesForm>,
  sections: SubscribePart['sections'],
  limit?: Choices,
): { errors: FormErrors; choices?: Choices } {
  const known = sections.flatMap(({ monitors }) => monitors.map(({ monitor_id }) => monitor_id));
  const selected = new Set(sent.getAll('monitors[]'));
  const some = known.filter((id) => selected.has(id));
  const most = limit?.monitor_ids ?? null;
  const systems = sent.get('systems') ?? 'all';
  const isWider = systems === 'all' && most !== null && known.length > 0; // otherwise, the form has no such field
  const isWrong =
    found['systems'] !== undefined || found['monitors'] !== undefined || systems === '' || isWider;
  const email = emailError(found);
  const errors: FormErrors = {
    ...(email && { email }),
    ...(isWrong && { systems: 'choice_invalid' }),
    ...(systems === 'some' && some.length === 0 && { systems: 'systems_empty' }),
    ...(found['detail'] && { detail: 'choice_invalid' }),
  };
  if (!value || Object.keys(errors).length > 0) return { errors };
  const { detail, maintenances } = value;
  const choices = {
    monitor_ids: systems === 'all' ? most : some,
    detail,
    maintenances: maintenances && limit?.maintenances !== false,
  };
  return { errors, choices };
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
