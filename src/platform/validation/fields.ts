import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import type { FieldErrorCode } from '../problems/catalogue.js';
import { Composed, fault, type FieldOptions, inputError, type InputError } from './field.js';
import { MAX_TIME_LENGTH, NOT_A_TIME, parseRfc3339 } from './rfc3339.js';
import { lowerCase, UUID_PATTERN, UUID_SCHEMA } from './uuid.js';

/*
 * Field decorators for DTOs. Each combines validators of class-validator with an OpenAPI schema, and can be used together
 * with other validators:
 *
 *     class CreateMonitorDto {
 *       @Text({ min: 1, max: 200, description: 'Display name.', example: 'API' })
 *       @NotContains('<')
 *       name!: string;
 *     }
 */
export { type Check, Field, type FieldOptions, inputError, type InputError } from './field.js';
export * from './lists.js';

const NOT_A_STRING = inputError('invalid_type', 'must be a string');
const IsText = () => IsString(fault('invalid_type', NOT_A_STRING.detail));

/** A rule for text, with its error. */
interface TextRule {
  name: string;
  code: FieldErrorCode;
  detail: string;
  isValid(text: string): boolean;
}

// White_Space and U+FEFF: everything that String.prototype.trim removes, and U+0085, which it does not.
const WHITE_SPACE = /^[\p{White_Space}\ufeff]*$/u;

/**
 * Returns the rules for text of `min` to `max` Unicode code points, in order of precedence. The length validators of
 * class-validator do not count variation selectors.
 */
function textRules(min: number, max: number): TextRule[] {
  const range = `must have ${min} to ${max} characters`;
  // Skips the other rules for huge texts, because YAML aliases let a file repeat a text of megabytes thousands of times. A code
  // point has at most two UTF-16 code units.
  const isHuge = (text: string) => text.length > 2 * max;
  const count = (text: string) => [...text].length; // code points; text.length counts UTF-16 units
  const rules: TextRule[] = [
    {
      name: 'isWellFormed',
      code: 'invalid_format',
      detail: 'must not contain NUL or lone surrogates',
      isValid: (text) => isHuge(text) || (!text.includes('\0') && text.isWellFormed()),
    },
    {
      name: 'minCodePoints',
      code: 'too_short',
      detail: range,
      isValid: (text) => isHuge(text) || count(text) >= min,
    },
    {
      name: 'maxCodePoints',
      code: 'too_long',
      detail: range,
      isValid: (text) => !isHuge(text) && count(text) <= max,
    },
  ];
  if (min === 0) return rules;
  const isBlank = (text: string) => !isHuge(text) && WHITE_SPACE.test(text);
  return [
    ...rules,
    {
      name: 'isNotBlank',
      code: 'blank',
      detail: 'must contain a non-whitespace character',
      isValid: (text) => !isBlank(text),
    },
  ];
}

/** Checks a text of `min` to `max` Unicode code points outside of a DTO. */
export function checkText(value: unknown, min: number, max: number): InputError[] {
  if (typeof value !== 'string') return [NOT_A_STRING];
  const rule = textRules(min, max).find(({ isValid }) => !isValid(value));
  return rule ? [inputError(rule.code, rule.detail)] : [];
}

/** Text of `min` to `max` Unicode code points, unchanged. If `min` is at least 1, it must not be blank. */
export function Text({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const rules = textRules(min, max).map(({ name, code, detail, isValid }) =>
    ValidateBy(
      { name, validator: { validate: (value: unknown) => typeof value !== 'string' || isValid(value) } },
      fault(code, detail),
    ),
  );
  return Composed(options, { type: 'string', minLength: min, maxLength: max }, NOT_A_STRING, [
    IsText(),
    ...rules,
  ]);
}

/** true or false. */
export function Flag(options: FieldOptions): PropertyDecorator {
  return flag(options, 'invalid_type');
}

/** A query parameter with the value "true" or "false". */
export function QueryFlag(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      value === 'true' || value === 'false' ? value === 'true' : value,
    ),
    flag(options, 'invalid_format'),
  );
}

function flag(options: FieldOptions, code: FieldErrorCode): PropertyDecorator {
  const wrongType = inputError(code, 'must be true or false');
  return Composed(options, { type: 'boolean' }, wrongType, [IsBoolean(fault(code, wrongType.detail))]);
}

/** An integer from `min` to `max`. */
export function Integer({
  min,
  max,
  ...options
}: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const wrongType = inputError('invalid_type', 'must be an integer');
  const outOfRange = fault('out_of_range', `must be an integer from ${min} to ${max}`);
  const schema = { type: 'integer', format: 'int32', minimum: min, maximum: max } as const;
  return Composed(options, schema, wrongType, [
    IsNumber({ allowInfinity: true }, fault('invalid_type', wrongType.detail)),
    IsInt(outOfRange),
    Min(min, outOfRange),
    Max(max, outOfRange),
  ]);
}

/** Text of at most `max` characters that matches a regular expression. `form` describes it in the error: "must be {form}". */
export function Pattern({
  pattern,
  max,
  form,
  ...options
}: FieldOptions & { pattern: RegExp; max: number; form: string }): PropertyDecorator {
  const wrongFormat = fault('invalid_format', `must be ${form}`);
  return Composed(options, { type: 'string', pattern: pattern.source, maxLength: max }, NOT_A_STRING, [
    IsText(),
    MaxLength(max, wrongFormat),
    Matches(pattern, wrongFormat),
  ]);
}

/** A word from a set: `@Choice({ of: ['minor', 'major'], description: 'Impact.' })`. */
export function Choice({ of, ...options }: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return Composed(options, { type: 'string', enum: [...of] }, NOT_A_STRING, [
    IsText(),
    IsIn(of, fault('invalid_format', `must be one of ${of.join(', ')}`)),
  ]);
}

/** A UUID (RFC 9562, section 4) in upper or lower case. The DTO contains it in lower case. */
export function Uuid(options: FieldOptions): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => lowerCase(value)),
    Composed(options, UUID_SCHEMA, NOT_A_STRING, [
      IsText(),
      // any version and variant, unlike @IsUUID()
      Matches(UUID_PATTERN, fault('invalid_format', 'must be a UUID')),
    ]),
  );
}

/** A time with any offset (RFC 3339), truncated to milliseconds. The DTO contains a Date. */
export function Time(options: FieldOptions): PropertyDecorator {
  const wrongType = inputError(
    'invalid_type',
    options.nullable ? 'must be a string or null' : 'must be a string',
  );
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (parseRfc3339(value) ?? value) : value,
    ),
    Composed(options, { type: 'string', format: 'date-time', maxLength: MAX_TIME_LENGTH }, wrongType, [
      ValidateBy(
        {
          name: 'isTimeText',
          validator: { validate: (value: unknown) => typeof value === 'string' || value instanceof Date },
        },
        fault('invalid_type', wrongType.detail),
      ),
      IsDate(fault('invalid_format', NOT_A_TIME)),
    ]),
  );
}

/** Requires a time in the future. Use it together with {@link Time}. */
export function Future(): PropertyDecorator {
  return TimeRule('isFuture', 'must be in the future', (time) => time.getTime() > Date.now());
}

/**
 * Requires a time after the time of another field, if the DTO contains both. Use it together with {@link Time}. For a PATCH
 * with one of the fields, add a CHECK constraint to the table; its violation also results in a 400.
 *
 *     @Time({ description: 'End time.' })
 *     @After('starts_at')
 *     ends_at!: Date;
 */
export function After(other: string): PropertyDecorator {
  return TimeRule('isAfter', `must be after ${other}`, (time, object) => {
    const earlier: unknown = Reflect.get(object, other);
    return !(earlier instanceof Date) || time > earlier;
  });
}

/** A rule for times. {@link Time} rejects other values. */
export function TimeRule(
  name: string,
  detail: string,
  isValid: (time: Date, object: object) => boolean,
): PropertyDecorator {
  const validate = (value: unknown, args?: ValidationArguments) =>
    !(value instanceof Date) || isValid(value, args?.object ?? {});
  return ValidateBy({ name, validator: { validate } }, fault('out_of_range', detail));
}
