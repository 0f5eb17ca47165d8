import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, type FieldOptions, inputError, type InputError } from '../../platform/validation/fields.js';

/** Custom host name of a page, or null. The DTO contains it in lower case. */
export const CustomDomain = (options: FieldOptions) => HostName({ ...options, nullable: true });

/** A host name. The DTO contains it in lower case. */
export const HostName = (options: FieldOptions) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => inLowerCase(value)),
    Field(checkHostName, options, { type: 'string', format: 'hostname', minLength: 1, maxLength: 253 }),
  );

// RFC 1123, section 2.1. A host name whose last label is a number is an IPv4 address (WHATWG URL, section 3.5).
const HOST_NAME =
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$|0x[\da-f]*$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Converts ASCII letters to lower case. `toLowerCase` would also turn U+212A (Kelvin sign) into an ASCII "k". */
export function inLowerCase(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Checks a host name in lower case. */
export function checkHostName(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  if (value.length > 253) return [inputError('too_long', 'must have 1 to 253 characters')];
  const form = 'must be a host name: no scheme, port or path, not an IP address, in ASCII (xn--…)';
  return HOST_NAME.test(value) ? [] : [inputError('invalid_format', form)];
}
