import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { REPORTED_STATUSES, type ReportedStatus } from '../../monitors/monitor-status.js';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids.js';
import {
  type Check,
  Choice,
  Field,
  type FieldOptions,
  inputError,
  type InputError,
  Text,
} from '../../platform/validation/fields.js';
import { checkSlug, SLUG_SCHEMA } from '../../platform/validation/slug.js';
import { lowerCase, UUID_PATTERN, UUID_SCHEMA } from '../../platform/validation/uuid.js';

const MAX_IGNORED = 16_384; // characters; the headers have a limit of 16 KiB

const STATUSES = [...REPORTED_STATUSES, 'up', 'down'] as const;

/** A UUID that other parameters require or replace. `isRequired` returns whether they do. */
const DependentUuid = (isRequired: (query: object) => boolean, options: FieldOptions) =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => lowerCase(value)),
    Field(
      (value, query) => {
        if (value === undefined) return isRequired(query) ? [inputError('required', 'is required')] : [];
        return checkUuid(value);
      },
      options,
      { ...UUID_SCHEMA, required: false },
    ),
  );

function checkUuid(value: unknown): InputError[] {
  if (typeof value !== 'string') return [inputError('invalid_type', 'must be a string')];
  return UUID_PATTERN.test(value) ? [] : [inputError('invalid_format', 'must be a UUID')];
}

const checkKey: Check = (value, query) =>
  isSent(query, 'monitor_id')
    ? [inputError('duplicate', 'must not be sent together with monitor_id')]
    : checkSlug(value);

function isSent(query: object, name: keyof PushQuery): boolean {
  return Reflect.get(query, name) !== undefined;
}

/** Query parameters of `GET` and `POST /v1/receivers/push`. */
export class PushQuery {
  @DependentUuid((query) => !isSent(query, 'monitor_key'), {
    description: 'ID of the monitor. Required unless `monitor_key` is sent.',
    example: EXAMPLE_IDS.monitor,
  })
  monitor_id?: string;

  @Field(
    checkKey,
    { optional: true, description: 'Key of the monitor, instead of `monitor_id`. Requires `project_id`.' },
    SLUG_SCHEMA,
  )
  monitor_key?: string;

  @DependentUuid((query) => isSent(query, 'monitor_key'), {
    description: 'Project that owns the monitor. Required with `monitor_key`.',
  })
  project_id?: string;

  @Choice({
    of: STATUSES,
    optional: true,
    description: 'Current status of the monitor. `up` means `operational`; `down` means `major_outage`.',
    default: 'operational',
  })
  status: (typeof STATUSES)[number] = 'operational';

  @Text({ min: 0, max: MAX_IGNORED, optional: true, description: 'Ignored. Uptime Kuma clients send it.' })
  msg?: string;

  @Text({ min: 0, max: MAX_IGNORED, optional: true, description: 'Ignored. Uptime Kuma clients send it.' })
  ping?: string;
}

/** Identification of a monitor by ID. */
export interface PushedById {
  monitor_id: string;
  /** Project that must own the monitor, if sent. */
  project_id?: string | undefined;
}

/** Identification of a monitor by key. */
interface PushedByKey {
  monitor_key: string;
  project_id: string;
}

/** Returns the monitor in a query, which validation has found complete. */
export function monitorOf({ monitor_id, monitor_key = '', project_id }: PushQuery): PushedById | PushedByKey {
  return monitor_id === undefined
    ? { monitor_key, project_id: project_id ?? '' }
    : { monitor_id, project_id };
}

/** Returns the status in a query. */
export function reportedStatusOf({ status }: PushQuery): ReportedStatus {
  if (status === 'up') return 'operational';
  return status === 'down' ? 'major_outage' : status;
}
