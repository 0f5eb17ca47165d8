import { ApiSchema } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Field, Flag, Integer, issue, type Issue, Text } from '../../validation/fields.js';
import { READ_ONLY, Refuses } from '../../validation/refused-fields.js';
import { RESERVED_SLUGS, SLUG } from '../slug.js';

const BY_UPDATE = 'is changed by PATCH /v1/status-pages/{id}';

/** What `PATCH /v1/status-pages/{id}/settings` takes: the fields that the page's own PATCH does not. */
@Refuses({
  id: READ_ONLY,
  project_id: READ_ONLY,
  created_at: READ_ONLY,
  updated_at: READ_ONLY,
  name: BY_UPDATE,
  is_public: BY_UPDATE,
  accent_color: BY_UPDATE,
  sections: BY_UPDATE,
})
@ApiSchema({ name: 'StatusPageSettingsUpdate' })
export class UpdateStatusPageSettingsDto {
  @Field(
    checkSlug,
    {
      optional: true,
      // No example, as in `custom_domain`: the body of "Try it out" would conflict when it is sent a second time.
      description: `Short name of the page, unique in the installation, not a reserved word: ${[...RESERVED_SLUGS].join(', ')}.`,
    },
    { type: 'string', pattern: SLUG.source, minLength: 1, maxLength: 63 },
  )
  slug?: string;

  @Text({
    optional: true,
    min: 0,
    max: 2_000,
    description: 'Text describing the page.',
    example: 'The state of Acme Cloud.',
  })
  description?: string;

  @Flag({ optional: true, description: 'Whether the page says what powers it.', example: true })
  show_powered_by?: boolean;

  @Flag({ optional: true, description: 'Whether the page shows the history.', example: true })
  show_history?: boolean;

  @Integer({ optional: true, min: 1, max: 365, description: 'Number of days of history.', example: 90 })
  history_days?: number;

  @Flag({ optional: true, description: 'Whether the page has an RSS feed.', example: true })
  rss_enabled?: boolean;

  @Flag({ optional: true, description: 'Whether visitors can subscribe.', example: false })
  subscribe_enabled?: boolean;

  @Transform(({ value }: { value: unknown }) => inLowerCase(value))
  @Field(
    checkHostName,
    {
      optional: true,
      nullable: true,
      description: 'Custom host name of the page, unique in the installation; null for none.',
    },
    { type: 'string', format: 'hostname', minLength: 1, maxLength: 253 },
  )
  custom_domain?: string | null;
}

function checkSlug(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  if (value.length > 63) return [issue('too_long', 'must have 1 to 63 characters')];
  if (!SLUG.test(value))
    return [issue('invalid_format', 'must be lower-case letters and digits, in parts joined by single "-"')];
  return RESERVED_SLUGS.has(value)
    ? [issue('reserved', 'is a reserved word; the description of `slug` in /openapi.json lists them')]
    : [];
}

// RFC 1123, section 2.1. A last label that is a number would make it an IPv4 address (WHATWG URL, section 3.5).
const HOST_NAME =
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$|0x[\da-f]*$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A host name in lower case: of ASCII only, because some other letters have one of ASCII for their lower case (U+212A). */
export function inLowerCase(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** What is wrong with a host name in lower case. */
export function checkHostName(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  if (value.length > 253) return [issue('too_long', 'must have 1 to 253 characters')];
  const form = 'must be a host name: no scheme, port or path, not an IP address, in ASCII (xn--…)';
  return HOST_NAME.test(value) ? [] : [issue('invalid_format', form)];
}
