import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min, ValidateBy, ValidateIf } from 'class-validator';

/** An integer from `min` to `max` in decimal digits. */
export function Integer(min: number, max: number): PropertyDecorator {
  const message = `must be an integer from ${min} to ${max}`;
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value,
    ),
    IsInt({ message }),
    Min(min, { message }),
    Max(max, { message }),
  );
}

/** An unset value, or a value that satisfies a condition. */
export function Satisfies(validate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return applyDecorators(
    ValidateIf((_env, value) => value !== undefined),
    ValidateBy({ name: 'satisfies', validator: { validate, defaultMessage: () => message } }),
  );
}

/** Converts "true" and "false" to booleans. Validation rejects other values. */
export const ToBoolean = () =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));
