import { ApiProperty } from '@nestjs/swagger';

/** The id of a resource, or of what it belongs to, as it goes out. */
export const ResponseId = (description: string, example: string) =>
  ApiProperty({ format: 'uuid', maxLength: 36, description, example });

const time = (description: string) =>
  ApiProperty({ format: 'date-time', maxLength: 24, description, example: '2026-11-20T12:00:00.000Z' });

/** When a resource was made, as it goes out. */
export const CreatedAt = () => time('UTC, to the millisecond.');

/** The version of a resource, as it goes out. */
export const UpdatedAt = () => time('UTC, to the millisecond. Grows with every change.');
