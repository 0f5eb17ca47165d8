import { checkText, Field } from '../platform/validation/fields.js';

/** An optional text of a file, at most `max` Unicode code points. It can be empty, but not blank. */
export function OptionalText({ max, description }: { max: number; description: string }): PropertyDecorator {
  return Field(
    (value) => (value === '' ? [] : checkText(value, 1, max)),
    { optional: true, description },
    { type: 'string', maxLength: max },
  );
}
