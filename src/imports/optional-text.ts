import { checkText, Field } from '../validation/fields.js';

/** Text of up to `max` Unicode code points that a file may leave out or empty, but that is not only white space. */
export function OptionalText({ max, description }: { max: number; description: string }): PropertyDecorator {
  return Field(
    (value) => (value === '' ? [] : checkText(value, 1, max)),
    { optional: true, description },
    { type: 'string', maxLength: max },
  );
}
