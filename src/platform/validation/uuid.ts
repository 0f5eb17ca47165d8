import { Param } from '@nestjs/common';
import type { Request } from 'express';
import type { FieldError } from '../problems/problem.js';

/** Text format of RFC 9562, section 4, of any version and variant, in upper or lower case. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** JSON Schema of a UUID. */
export const UUID_SCHEMA = { type: 'string', format: 'uuid', maxLength: 36 } as const;

/** Converts a string to lower case, and returns other values unchanged. */
export function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

const UUID_PARAMS = 'validation:uuid-params';

/**
 * Injects a path parameter that is a UUID, in lower case. `InputGuard` reports other values together with all other errors
 * of the request.
 *
 *     @Get(':id')
 *     async get(@UuidParam('id') id: string) {}
 */
export function UuidParam(name: string): ParameterDecorator {
  return (target, handler, index) => {
    Param(name)(target, handler, index);
    if (handler === undefined) return;
    const names: string[] = Reflect.getOwnMetadata(UUID_PARAMS, target, handler) ?? [];
    Reflect.defineMetadata(UUID_PARAMS, [...names, name], target, handler);
  };
}

/** Returns the names of a handler's parameters with `@UuidParam`. */
export function uuidParamsOf(controller: object, handler: string): string[] {
  return Reflect.getMetadata(UUID_PARAMS, controller, handler) ?? [];
}

/** Checks a path parameter and converts it to lower case. Returns the error, if any. */
export function readUuidParam({ params }: Request, parameter: string): FieldError[] {
  const value = params[parameter];
  if (typeof value !== 'string' || !UUID_PATTERN.test(value))
    return [{ code: 'invalid_format', detail: 'must be a UUID', parameter }];
  params[parameter] = value.toLowerCase();
  return [];
}
