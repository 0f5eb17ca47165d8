import {
  Field,
  type FieldOptions,
  inputError,
  type InputError,
} from '../../../platform/validation/fields.js';
import { dayOf, MAX_DAYS, midnightOf } from '../day-range.js';

/** A day as `YYYY-MM-DD`, from 2000 on. */
const Day = (options: FieldOptions) =>
  Field(checkDay, options, { type: 'string', format: 'date', minLength: 10, maxLength: 10 });

function checkDay(value: unknown): InputError[] {
  const wrong = [inputError('invalid_format', 'must be a day such as 2026-11-20')];
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return wrong;
  const time = midnightOf(value);
  if (Number.isNaN(time.getTime()) || dayOf(time) !== value) return wrong; // such as February 30
  return value < '2000-01-01' ? [inputError('out_of_range', 'must not be before 2000-01-01')] : [];
}

/** Query parameters of `GET /v1/monitors/{id}/days`. */
export class DaysQuery {
  @Day({
    optional: true,
    description: `First day in UTC, at most ${MAX_DAYS - 1} days before \`to\`. Default: 89 days before \`to\`.`,
  })
  from?: string;

  @Day({ optional: true, description: 'Last day in UTC, not after today. Default: today.' })
  to?: string;
}
