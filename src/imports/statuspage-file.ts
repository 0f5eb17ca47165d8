import {
  checkText,
  Field,
  Flag,
  type InputError,
  inputError,
  ListOf,
  ObjectOf,
  Pattern,
  Text,
} from '../platform/validation/fields.js';
import { parseRfc3339 } from '../platform/validation/rfc3339.js';
import { SECTION_ID } from '../status-pages/dto/section.dto.js';
import { cutText } from './cut-text.js';

const MAX_COMPONENTS = 5_000; // far above the limit of a page, so that its error names that limit
const MAX_EVENTS = 5_000; // the newest ones are imported
const MAX_PARTS = 5_000; // updates, and components of them
const MAX_BODY = 50_000; // that of a postmortem; others are cut to less
const ID_FORM = '1 to 64 letters, digits, "_" or "-"';

/** An optional text, which can be null. A longer one is not an error, but must be cut. */
const AnyText = ({ max, description }: { max: number; description: string }) =>
  Field(
    nullable((value) => checkText(typeof value === 'string' ? cutText(value, max) : value, 0, max)),
    { optional: true, description },
    { type: 'string' },
  );

/** A time with any offset, as text. */
const FileTime = (description: string) =>
  Field(checkTime, { description }, { type: 'string', format: 'date-time' });

const OptionalFileTime = (description: string) =>
  Field(
    nullable(checkTime),
    { optional: true, description },
    { type: 'string', format: 'date-time', nullable: true },
  );

/** The imported fields of `page`. */
class StatuspagePage {
  @Text({ min: 1, max: 200, description: 'Name of the page.' })
  name!: string;
}

/** The imported fields of a component or a group. */
export class StatuspageComponent {
  @Pattern({ pattern: SECTION_ID, max: 64, form: ID_FORM, description: 'Id of the component.' })
  id!: string;

  @Text({ min: 1, max: 200, description: 'Name of the component.' })
  name!: string;

  @Field(
    nullable((value) => checkText(value, 0, 2_000)),
    { optional: true, description: 'Description.' },
    { type: 'string' },
  )
  description?: string | null;

  @AnyText({ max: 200, description: 'Its status.' })
  status?: string | null;

  @OptionalFileTime('Since when at the latest it has this status.')
  updated_at?: string | null;

  @Field(checkInteger, { description: 'Orders groups, and components within a group.' }, { type: 'integer' })
  position!: number;

  @Flag({ optional: true, description: 'Whether it is a group.' })
  group?: boolean;

  @Field(
    nullable(checkId),
    { optional: true, description: 'Id of its group; null: it has none.' },
    { type: 'string' },
  )
  group_id?: string | null;
}

/** A component in an update, with its status from then on. */
export class StatuspageAffected {
  @AnyText({ max: 200, description: 'Id of the component.' })
  code?: string | null;

  @AnyText({ max: 200, description: 'Its status from the update on.' })
  new_status?: string | null;
}

/** The imported fields of an update. */
export class StatuspageUpdate {
  @AnyText({ max: 200, description: 'The status from the update on.' })
  status?: string | null;

  @AnyText({ max: MAX_BODY, description: 'What it says: text, or HTML.' })
  body?: string | null;

  @FileTime('When it was created.')
  created_at!: string;

  @OptionalFileTime('When it is shown to have been posted.')
  display_at?: string | null;

  @ListOf(StatuspageAffected, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'What is affected from the update on; null: as before.',
  })
  affected_components?: StatuspageAffected[] | null;
}

/** A component in an incident or a maintenance, as it was when the file was written. */
export class StatuspageEventComponent {
  @AnyText({ max: 200, description: 'Id of the component.' })
  id?: string | null;

  @AnyText({ max: 200, description: 'Its status.' })
  status?: string | null;
}

/** The imported fields of an incident and of a scheduled maintenance. */
class StatuspageEvent {
  @Field(
    (value) => checkText(typeof value === 'string' ? cutText(value, 200) : value, 1, 200),
    { description: 'What it is about.' },
    { type: 'string' },
  )
  name!: string;

  @AnyText({ max: 200, description: 'Its status.' })
  status?: string | null;

  @OptionalFileTime('When it was resolved or completed.')
  resolved_at?: string | null;

  @ListOf(StatuspageUpdate, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'Its updates, newest first.',
  })
  incident_updates?: StatuspageUpdate[] | null;

  @ListOf(StatuspageEventComponent, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'The components that it is about.',
  })
  components?: StatuspageEventComponent[] | null;
}

/** The imported fields of an incident. */
export class StatuspageIncident extends StatuspageEvent {
  @AnyText({ max: 200, description: 'How bad it is.' })
  impact?: string | null;

  @FileTime('When it was created.')
  created_at!: string;

  @OptionalFileTime('When it started.')
  started_at?: string | null;
}

/** The imported fields of a scheduled maintenance. */
export class StatuspageMaintenance extends StatuspageEvent {
  @FileTime('When it begins.')
  scheduled_for!: string;

  @OptionalFileTime('When it ends.')
  scheduled_until?: string | null;
}

/**
 * The imported fields of a `components.json` or `summary.json` (Atlassian Statuspage, public API v2). The lists of
 * `incidents.json` and `scheduled-maintenances.json` can be put into it.
 */
export class StatuspageFile {
  @ObjectOf(StatuspagePage, { description: 'The page.' })
  page!: StatuspagePage;

  @ListOf(StatuspageComponent, { max: MAX_COMPONENTS, description: 'Groups and components.' })
  components!: StatuspageComponent[];

  @ListOf(StatuspageIncident, {
    optional: true,
    nullable: true,
    max: MAX_EVENTS,
    description: 'Incidents.',
  })
  incidents?: StatuspageIncident[] | null;

  @ListOf(StatuspageMaintenance, {
    optional: true,
    nullable: true,
    max: MAX_EVENTS,
    description: 'Maintenances.',
  })
  scheduled_maintenances?: StatuspageMaintenance[] | null;
}

function nullable(other: (value: unknown) => InputError[]): (value: unknown) => InputError[] {
  return (value) => (value === null ? [] : other(value));
}

function checkId(value: unknown): InputError[] {
  const valid = typeof value === 'string' && SECTION_ID.test(value);
  return valid ? [] : [inputError('invalid_format', `must be ${ID_FORM}`)];
}

function checkInteger(value: unknown): InputError[] {
  return Number.isSafeInteger(value) ? [] : [inputError('invalid_type', 'must be an integer')];
}

function checkTime(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  return parseRfc3339(value)
    ? []
    : [inputError('invalid_format', 'must be a time such as 2026-11-20T12:00:00.000Z')];
}
