import { ApiProperty } from '@nestjs/swagger';

/** Documents an ID in a response. */
export const ResponseId = (description: string, example: string) =>
  ApiProperty({ format: 'uuid', maxLength: 36, description, example });

/** Documents an ID or null in a response. */
export const NullableId = (description: string, example: string) =>
  ApiProperty({ type: 'string', format: 'uuid', maxLength: 36, nullable: true, description, example });

/** Documents a time in a response. */
export const TimeOf = (description: string, example = '2026-11-20T12:00:00.000Z') =>
  ApiProperty({ format: 'date-time', maxLength: 24, description, example });

/** Documents a time or null in a response. */
export const NullableTime = (description: string, example: string | null = null) =>
  ApiProperty({ type: 'string', format: 'date-time', maxLength: 24, nullable: true, description, example });

/** Documents `created_at` in a response. */
export const CreatedAt = () => TimeOf('Creation time in UTC, with millisecond precision.');

/** Documents `updated_at` in a response: the version of the resource. */
export const UpdatedAt = () =>
  TimeOf('Time of the last change in UTC, with millisecond precision. Increases with every change.');
