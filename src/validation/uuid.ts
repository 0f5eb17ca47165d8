import { Injectable, type PipeTransform } from '@nestjs/common';
import type { FieldError } from '../problems/problem.js';

/** The text form of RFC 9562, section 4, of any version and variant, in upper or lower case. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is wrong with a path parameter that is to be a UUID. */
export function uuidErrors(parameter: string, value: string | string[] | undefined): FieldError[] {
  const valid = typeof value === 'string' && UUID_PATTERN.test(value);
  return valid ? [] : [{ code: 'invalid_format', detail: 'must be a UUID', parameter }];
}

/** Marks a path parameter as a UUID, which `InputGuard` checks; the handler gets it in lower case. */
@Injectable()
export class UuidPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    return value.toLowerCase();
  }
}
