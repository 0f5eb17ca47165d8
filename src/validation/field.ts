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

/** A fault of a value: the place in it (an empty path: the value itself), the code, and what is allowed. */
export interface Issue {
  path: (string | number)[];
  code: FieldErrorCode;
  detail: string;
}

/** Returns the faults of a value, or an empty list. `object` is the DTO that holds the value. */
export type Check = (value: unknown, object: object) => Issue[];

/** What every field decorator takes. */
export interface FieldOptions {
  /** The field may be left out. Even then it may not be null, unless it is `nullable`. */
  optional?: boolean;
  nullable?: boolean;
  description: string;
  /** Part of the body that the documentation page sends by "Try it out". */
  example?: unknown;
  /** Examples that it does not send. */
  examples?: unknown[];
  default?: unknown;
}

/** What validation needs to know of a field before class-transformer and class-validator see its value. */
export interface FieldInfo {
  nullable: boolean;
  /** The faults of an object or a list where the field takes none, or another. */
  check: Check;
  /** The class of the object, or of the items of the list. */
  item?: new () => object;
  /** Only of a list: how many items it may have. */
  maxItems?: number;
  /** false: no check of the list reports items that are no objects. */
  checksItems?: boolean;
}

/** The key in class-validator's `context` that holds the {@link FieldInfo}. Mapped types copy it with the other metadata. */
export const FIELD_INFO = 'field';

/** An issue with the value itself. */
export function issue(code: FieldErrorCode, detail: string): Issue {
  return { path: [], code, detail };
}

/** The options that make a validator of class-validator report this code and text: `IsString(fault('invalid_type', …))`. */
export function fault(code: FieldErrorCode, message: string): ValidationOptions {
  return { message, context: { code } };
}

/**
 * A field that validators of class-validator hold. It declares the rule and the OpenAPI schema at once:
 *
 *     export const Flag = (options: FieldOptions) =>
 *       Composed(options, { type: 'boolean' }, [IsBoolean(fault('invalid_type', 'must be true or false'))], …);
 *
 * @param wrongType the issue with an object, a list or a null, which the first of the rules refuses
 */
export function Composed(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  wrongType: Issue,
  rules: PropertyDecorator[],
): PropertyDecorator {
  return declare(options, schema, { check: () => [wrongType] }, rules);
}

/** The name of the validator that reports the issues of a {@link Check}; its message is the issues as JSON. */
export const CHECK = 'check';

/**
 * A field that a {@link Check} of our own holds: for rules that name a place inside the value, or that class-validator
 * does not have. class-validator reports one text a validator, so the issues travel in it as JSON.
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
      validate: (value: unknown, found?: ValidationArguments) => check(value, objectOf(found)).length === 0,
      defaultMessage: (found?: ValidationArguments) => JSON.stringify(check(found?.value, objectOf(found))),
    },
  });
  return declare(options, schema, { check, ...contents }, [rule]);
}

function objectOf(found: ValidationArguments | undefined): object {
  return found?.object ?? {};
}

function declare(
  { optional = false, ...documented }: FieldOptions,
  schema: ApiPropertyOptions,
  info: Omit<FieldInfo, 'nullable'>,
  rules: PropertyDecorator[],
): PropertyDecorator {
  const { nullable = false } = documented;
  const property = { required: !optional, ...documented, ...schema };
  return applyDecorators(
    // Unlike @IsOptional(), this lets no null through.
    ValidateIf((_object, value) => !(optional && value === undefined) && !(nullable && value === null)),
    Allow({ context: { [FIELD_INFO]: { ...info, nullable } satisfies FieldInfo } }),
    ...rules,
    // The types that @nestjs/swagger gives this argument do not cover `type` as a plain string together with bounds.
    ApiProperty(property as ApiPropertyOptions),
  );
}
