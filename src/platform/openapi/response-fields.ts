import { ApiProperty } from '@nestjs/swagger';

/** Documents an id in a response. */
export const ResponseId = (description: string, example: string) =>
  ApiProperty({ format: 'uuid', maxLength: 36, description, example });

/** Documents a time in a response. */
export const TimeOf = (description: string) =>
  ApiProperty({ format: 'date-time', maxLength: 24, description, example: '2026-11-20T12:00:00.000Z' });

/** Documents `created_at` in a response. */
export const CreatedAt = () => TimeOf('UTC, to the millisecond.');

/** Documents `updated_at` in a response: the version of the resource. */
export const UpdatedAt = () => TimeOf('UTC, to the millisecond. Grows with every change.');
