import { Param } from '@nestjs/common';
import type { Request } from 'express';
import type { FieldError } from '../problems/problem.js';

/** The text form of RFC 9562, section 4, of any version and variant, in upper or lower case. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The JSON Schema of a UUID. */
export const UUID_SCHEMA = { type: 'string', format: 'uuid', maxLength: 36 } as const;

/** A text in lower case; other values unchanged. */
export function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

const UUID_PARAMS = 'validation:uuid-params';

/**
 * A path parameter that is a UUID. `InputGuard` refuses other values with all other faults of the request; the handler
 * gets the UUID in lower case.
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

/** The names of the path parameters of a handler that are UUIDs. */
export function uuidParamsOf(controller: object, handler: string): string[] {
  return Reflect.getMetadata(UUID_PARAMS, controller, handler) ?? [];
}

/** Reads a path parameter as a UUID: changes it to lower case, or returns what is wrong with it. */
export function readUuidParam({ params }: Request, parameter: string): FieldError[] {
  const value = params[parameter];
  if (typeof value !== 'string' || !UUID_PATTERN.test(value))
    return [{ code: 'invalid_format', detail: 'must be a UUID', parameter }];
  params[parameter] = value.toLowerCase();
  return [];
}
