import { ApiProperty } from '@nestjs/swagger';

/** Documents an id in a response. */
export const ResponseId = (description: string, example: string) =>
  ApiProperty({ format: 'uuid', maxLength: 36, description, example });

const time = (description: string) =>
  ApiProperty({ format: 'date-time', maxLength: 24, description, example: '2026-11-20T12:00:00.000Z' });

/** Documents `created_at` in a response. */
export const CreatedAt = () => time('UTC, to the millisecond.');

/** Documents `updated_at` in a response: the version of the resource. */
export const UpdatedAt = () => time('UTC, to the millisecond. Grows with every change.');
