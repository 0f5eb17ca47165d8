import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validationFailed } from './problems.js';

/** The text form of RFC 9562, section 4, of any version and variant, in upper or lower case. */
export const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID in the path, in lower case. Anything else is 400 `validation_failed`. */
@Injectable()
export class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data = 'id' }: ArgumentMetadata): string {
    if (!UUID_PATTERN.test(value)) {
      throw validationFailed([{ code: 'invalid_format', detail: 'must be a UUID', parameter: data }]);
    }
    return value.toLowerCase();
  }
}
