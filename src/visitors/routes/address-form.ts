import type { FieldErrors } from '../../platform/validation/form.js';
import { Trimmed } from '../../platform/validation/form.js';
import { Email } from '../../subscribers/dto/email.js';

/** A form with an address. */
export class AddressForm {
  @Trimmed()
  @Email({ description: 'Email address.' })
  email!: string;
}

/** Returns the word for the error of the address. */
export function emailError({ email }: FieldErrors): 'email_empty' | 'email_invalid' | undefined {
  return email && (email.code === 'required' ? 'email_empty' : 'email_invalid');
}
