import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { Field, Flag, Integer, issue, type Issue, ListOf, Pattern, Text } from '../../http/fields.js';
import { RESERVED_SLUGS, SLUG } from '../slug.js';
import { checkSectionsTogether, MAX_MONITORS, MAX_SECTIONS, SectionDto } from './section.dto.js';

/** The fields of a status page that can be sent, each once for all operations that take it. */

export const Name = ({ optional = false } = {}) =>
  Text({ optional, min: 1, max: 200, description: 'Display name.', example: 'Acme Cloud' });

export const Slug = () =>
  Field(
    checkSlug,
    {
      optional: true,
      description: 'Short name of the page, unique in the installation, not a reserved word.',
      example: 'acme-cloud',
    },
    { type: 'string', pattern: SLUG.source, minLength: 1, maxLength: 63 },
  );

export const IsPublic = () =>
  Flag({ optional: true, description: 'Whether the page is publicly accessible.', example: true });

export const Description = () =>
  Text({
    optional: true,
    min: 0,
    max: 2_000,
    description: 'Text describing the page.',
    example: 'The state of Acme Cloud.',
  });

export const AccentColor = () =>
  Pattern({
    optional: true,
    pattern: /^#[0-9a-fA-F]{6}$/,
    max: 7,
    form: 'a hex color of the form #rrggbb',
    description: 'Hex color, form `#rrggbb`.',
    example: '#2563eb',
  });

export const ShowPoweredBy = () =>
  Flag({ optional: true, description: 'Whether the page says what powers it.', example: true });

export const ShowHistory = () =>
  Flag({ optional: true, description: 'Whether the page shows the history.', example: true });

export const HistoryDays = () =>
  Integer({ optional: true, min: 1, max: 365, description: 'Number of days of history.', example: 90 });

export const RssEnabled = () =>
  Flag({ optional: true, description: 'Whether the page has an RSS feed.', example: true });

export const SubscribeEnabled = () =>
  Flag({ optional: true, description: 'Whether visitors can subscribe.', example: false });

export const CustomDomain = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value)),
    Field(
      checkHostName,
      {
        optional: true,
        nullable: true,
        description: 'Custom host name of the page, unique in the installation; null for none.',
        example: 'status.acme.example',
      },
      { type: 'string', format: 'hostname', minLength: 1, maxLength: 253 },
    ),
  );

export const Sections = () =>
  ListOf(SectionDto, {
    optional: true,
    max: MAX_SECTIONS,
    together: checkSectionsTogether,
    description: `Groups of monitors, in this order, with ${MAX_MONITORS} monitors in all at the most. Replaces all sections of the page.`,
  });

function checkSlug(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  if (value.length > 63) return [issue('too_long', 'must have 1 to 63 characters')];
  if (!SLUG.test(value))
    return [issue('invalid_format', 'must be lower-case letters and digits, in parts joined by single "-"')];
  return RESERVED_SLUGS.has(value) ? [issue('reserved', 'is a reserved word')] : [];
}

// RFC 1123, section 2.1. A last label that is a number would make it an IPv4 address (WHATWG URL, section 3.5).
const HOST_NAME =
  /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$|0x[\da-f]*$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What is wrong with a host name in lower case. */
export function checkHostName(value: unknown): Issue[] {
  if (typeof value !== 'string') return [issue('invalid_type', 'must be a string')];
  if (value.length > 253) return [issue('too_long', 'must have 1 to 253 characters')];
  const form = 'must be a host name: no scheme, port or path, not an IP address, in ASCII (xn--…)';
  return HOST_NAME.test(value) ? [] : [issue('invalid_format', form)];
}
