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
import { NOT_A_TIME, parseRfc3339 } from '../platform/validation/rfc3339.js';
import { SECTION_ID } from '../status-pages/dto/section.dto.js';
import { cutText } from './cut-text.js';

const MAX_COMPONENTS = 5_000; // far above the limit of a page, so that the error is about that limit
const MAX_EVENTS = 5_000; // only the newest ones are imported
const MAX_PARTS = 5_000; // updates, and components of updates
const MAX_BODY = 50_000; // limit of a postmortem; other texts have lower limits
const ID_FORM = '1 to 64 letters, digits, "_" or "-"';

/** An optional text, which can be null. A longer text is not an error, but must be truncated. */
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

/** Imported fields of `page`. */
class StatuspagePage {
  @Text({ min: 1, max: 200, description: 'Name of the page.' })
  name!: string;

  @AnyText({ max: 200, description: 'Time zone of the page.' })
  time_zone?: string | null;
}

/** Imported fields of a component or a group. */
export class StatuspageComponent {
  @Pattern({ pattern: SECTION_ID, max: 64, form: ID_FORM, description: 'ID of the component.' })
  id!: string;

  @Text({ min: 1, max: 200, description: 'Name of the component.' })
  name!: string;

  @Field(
    nullable((value) => checkText(value, 0, 2_000)),
    { optional: true, description: 'Description.' },
    { type: 'string' },
  )
  description?: string | null;

  @AnyText({ max: 200, description: 'Status.' })
  status?: string | null;

  @AnyText({ max: 200, description: 'Day or time at which the history of the component starts.' })
  start_date?: string | null;

  @AnyText({ max: 200, description: 'Time at which the component was created.' })
  created_at?: string | null;

  @OptionalFileTime('Latest time at which the component got this status.')
  updated_at?: string | null;

  @Field(
    checkInteger,
    { description: 'Position of a group, or of a component within its group.' },
    { type: 'integer' },
  )
  position!: number;

  @Flag({ optional: true, description: 'Whether the component is a group.' })
  group?: boolean;

  @Field(
    nullable(checkId),
    { optional: true, description: 'ID of the group; null: none.' },
    { type: 'string' },
  )
  group_id?: string | null;
}

/** A component in an update, with its status from then on. */
export class StatuspageAffected {
  @AnyText({ max: 200, description: 'ID of the component.' })
  code?: string | null;

  @AnyText({ max: 200, description: 'Status of the component from this update on.' })
  new_status?: string | null;
}

/** Imported fields of an update. */
export class StatuspageUpdate {
  @AnyText({ max: 200, description: 'Status from this update on.' })
  status?: string | null;

  @AnyText({ max: MAX_BODY, description: 'Body as plain text or HTML.' })
  body?: string | null;

  @FileTime('Creation time.')
  created_at!: string;

  @OptionalFileTime('Displayed posting time.')
  display_at?: string | null;

  @ListOf(StatuspageAffected, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'Affected components from this update on; null: unchanged.',
  })
  affected_components?: StatuspageAffected[] | null;
}

/** A component in an incident or a maintenance window, with its state when the file was written. */
export class StatuspageEventComponent {
  @AnyText({ max: 200, description: 'ID of the component.' })
  id?: string | null;

  @AnyText({ max: 200, description: 'Status.' })
  status?: string | null;
}

/** Imported fields of an incident and of a scheduled maintenance. */
class StatuspageEvent {
  @Field(
    (value) => checkText(typeof value === 'string' ? cutText(value, 200) : value, 1, 200),
    { description: 'Title.' },
    { type: 'string' },
  )
  name!: string;

  @AnyText({ max: 200, description: 'Status.' })
  status?: string | null;

  @OptionalFileTime('Time of resolution or completion.')
  resolved_at?: string | null;

  @ListOf(StatuspageUpdate, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'Updates, newest first.',
  })
  incident_updates?: StatuspageUpdate[] | null;

  @ListOf(StatuspageEventComponent, {
    optional: true,
    nullable: true,
    max: MAX_PARTS,
    description: 'Affected components.',
  })
  components?: StatuspageEventComponent[] | null;
}

/** Imported fields of an incident. */
export class StatuspageIncident extends StatuspageEvent {
  @AnyText({ max: 200, description: 'Impact.' })
  impact?: string | null;

  @FileTime('Creation time.')
  created_at!: string;

  @OptionalFileTime('Start time.')
  started_at?: string | null;
}

/** Imported fields of a scheduled maintenance. */
export class StatuspageMaintenance extends StatuspageEvent {
  @FileTime('Start time.')
  scheduled_for!: string;

  @OptionalFileTime('End time.')
  scheduled_until?: string | null;
}

/**
 * Imported fields of a `components.json` or `summary.json` (Atlassian Statuspage, public API v2). The file can also contain the
 * lists of `incidents.json` and `scheduled-maintenances.json`.
 */
export class StatuspageFile {
  @ObjectOf(StatuspagePage, { description: 'The status page.' })
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
  return parseRfc3339(value) ? [] : [inputError('invalid_format', NOT_A_TIME)];
}
