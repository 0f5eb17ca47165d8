import { ApiSchema } from '@nestjs/swagger';
import { type FieldOptions, type InputError, ListOf, Pattern } from '../../platform/validation/fields.js';

/** Maximum number of headers of a check. */
export const MAX_HEADERS = 20;
/** Maximum length of a header's name. */
export const MAX_NAME = 100;
const MAX_VALUE = 2_000;

/** A token (RFC 9110, section 5.6.2). */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** A value without characters beyond ASCII (RFC 9110, section 5.5). */
const VALUE = /^[!-~]([\t -~]*[!-~])?$/;

/** Headers that the HTTP client sets (RFC 9110, section 7.6.1). */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A header that a check sends. */
@ApiSchema({ name: 'CheckHeader' })
export class CheckHeaderDto {
  @Pattern({
    pattern: NAME,
    max: MAX_NAME,
    form: `a name of a header with at most ${MAX_NAME} characters`,
    description: 'Name of the header, in upper or lower case.',
    example: 'Authorization',
  })
  name!: string;

  @Pattern({
    pattern: VALUE,
    max: MAX_VALUE,
    form: `1 to ${MAX_VALUE} ASCII characters without line breaks`,
    description: 'Value of the header. No response contains it.',
    example: 'Bearer secret',
  })
  value!: string;
}

/** Headers with different names, none of which the HTTP client sets. */
export const CheckHeaders = (options: FieldOptions) =>
  ListOf(CheckHeaderDto, { max: MAX_HEADERS, crossCheck: checkNames, ...options });

function checkNames(headers: ReadonlyMap<number, CheckHeaderDto>): InputError[] {
  const seen = new Set<string>();
  return [...headers].flatMap(([index, { name }]): InputError[] => {
    if (typeof name !== 'string') return [];
    const path = [index, 'name'];
    const lower = name.toLowerCase();
    if (RESERVED.has(lower)) return [{ path, code: 'invalid_format', detail: 'is set by the check itself' }];
    if (seen.has(lower)) return [{ path, code: 'duplicate', detail: 'must not be repeated' }];
    seen.add(lower);
    return [];
  });
}
