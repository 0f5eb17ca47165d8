import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  Allow,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import type { FieldErrorCode } from '../problems/catalogue.js';

/** An error in a value: the path in it (empty for the value itself), the code, and the rule. */
export interface InputError {
  path: (string | number)[];
  code: FieldErrorCode;
  detail: string;
}

/** Returns the errors of a value, or an empty list. `object` is the DTO that contains the value. */
export type Check = (value: unknown, object: object) => InputError[];

/** Options of all field decorators. */
export interface FieldOptions {
  /** The field can be omitted. Unless it is `nullable`, it cannot be null. */
  optional?: boolean;
  /** The field can be omitted if the body contains this other field. */
  requiredUnless?: string;
  nullable?: boolean;
  description: string;
  /** "Try it out" on the documentation page sends this value. */
  example?: unknown;
  /** Examples for responses only, if "Try it out" must not send them. */
  examples?: unknown[];
  default?: unknown;
}

/** Shape of a field, which is checked before class-transformer and class-validator run. */
export interface FieldInfo {
  nullable: boolean;
  /** Type in the OpenAPI schema. */
  type?: unknown;
  /** Returns the errors of an unexpected object or list. */
  check: Check;
  /** Class of a nested object, or of list items. */
  item?: new () => object;
  /** Maximum number of items of a list; undefined if the field is not a list. */
  maxItems?: number;
  /** Whether the check of a list reports items that are not objects. Default: true. */
  checksItems?: boolean;
}

/** Key of the {@link FieldInfo} in the `context` of class-validator, which mapped types copy with the other metadata. */
export const FIELD_INFO = 'field';

/** Creates an error of the value itself. */
export function inputError(code: FieldErrorCode, detail: string): InputError {
  return { path: [], code, detail };
}

/** Returns validation options with an error code and a message: `IsString(fault('invalid_type', 'must be a string'))`. */
export function fault(code: FieldErrorCode, message: string): ValidationOptions {
  return { message, context: { code } };
}

/**
 * Declares a field with validators of class-validator and its OpenAPI schema:
 *
 *     export const Flag = (options: FieldOptions) =>
 *       Composed(options, { type: 'boolean' }, inputError('invalid_type', 'must be true or false'), [
 *         IsBoolean(fault('invalid_type', 'must be true or false')),
 *       ]);
 *
 * @param wrongType the error of an object or a list as the value
 */
export function Composed(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  wrongType: InputError,
  rules: PropertyDecorator[],
): PropertyDecorator {
  return declare(options, schema, { check: () => [wrongType] }, rules);
}

/** Name of the validator that runs a {@link Check}. Its message contains the errors as JSON. */
export const CHECK = 'check';

/**
 * Declares a field with a {@link Check} and its OpenAPI schema, for rules that class-validator does not have or that report
 * a path inside the value. A validator reports only one message, so it contains the errors as JSON.
 *
 *     export const Slug = (options: FieldOptions) => Field(checkSlug, options, { type: 'string', maxLength: 63 });
 */
export function Field(
  check: Check,
  options: FieldOptions,
  schema: ApiPropertyOptions,
  contents: Pick<FieldInfo, 'item' | 'maxItems'> = {},
): PropertyDecorator {
  const rule = ValidateBy({
    name: CHECK,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => check(value, objectOf(args)).length === 0,
      defaultMessage: (args?: ValidationArguments) => JSON.stringify(check(args?.value, objectOf(args))),
    },
  });
  return declare(options, schema, { check, ...contents }, [rule]);
}

function objectOf(args: ValidationArguments | undefined): object {
  return args?.object ?? {};
}

function declare(
  { optional = false, requiredUnless, ...documented }: FieldOptions,
  schema: ApiPropertyOptions,
  info: Omit<FieldInfo, 'nullable' | 'type'>,
  rules: PropertyDecorator[],
): PropertyDecorator {
  const { nullable = false } = documented;
  const property = { required: !optional && requiredUnless === undefined, ...documented, ...schema };
  const canOmit = (object: object) =>
    optional || (requiredUnless !== undefined && Reflect.get(object, requiredUnless) !== undefined);
  return applyDecorators(
    // Unlike @IsOptional(), this validates null.
    ValidateIf((object, value) => !(value === undefined && canOmit(object)) && !(nullable && value === null)),
    Allow({ context: { [FIELD_INFO]: { ...info, nullable, type: schema.type } satisfies FieldInfo } }),
    ...rules,
    // The parameter type of @nestjs/swagger does not allow a string `type` in combination with limits.
    ApiProperty(property as ApiPropertyOptions),
  );
}
