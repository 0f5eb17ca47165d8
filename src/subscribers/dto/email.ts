import {
  checkText,
  Field,
  type FieldOptions,
  inputError,
  type InputError,
} from '../../platform/validation/fields.js';
import { isEmailAddress, MAX_EMAIL_LENGTH } from '../email-address.js';

const MIN_EMAIL_LENGTH = 3;

/** An address that mail can be sent to, of 3 to 320 characters, unchanged. */
export const Email = (options: FieldOptions) =>
  Field(checkEmail, options, {
    type: 'string',
    pattern: '^[^\\s@]+@[^\\s@]+$',
    minLength: MIN_EMAIL_LENGTH,
    maxLength: MAX_EMAIL_LENGTH,
  });

function checkEmail(value: unknown): InputError[] {
  const errors = checkText(value, MIN_EMAIL_LENGTH, MAX_EMAIL_LENGTH);
  if (errors.length > 0 || (typeof value === 'string' && isEmailAddress(value))) return errors;
  return [inputError('invalid_format', 'must be an email address such as ada@example.com')];
}
