import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { MAX_KEY_LENGTH } from '../server/idempotency-key.js';
import { IdempotencyInterceptor, SECRETS } from './idempotency.interceptor.js';

/**
 * A POST that a client can repeat safely: the handler runs once for each `Idempotency-Key`, and its response is replayed for a
 * day. Every POST has it. Place it last, below decorators with interceptors, so that the stored response has their headers:
 *
 *     @Post()
 *     @RespondsWithCreated(MonitorDto, ({ id }) => `/v1/monitors/${id}`)
 *     @AcceptsIdempotencyKey()
 *
 * @param secrets the fields that the server does not store; they are null in a replay
 */
export const AcceptsIdempotencyKey = (...secrets: string[]) =>
  applyDecorators(
    SetMetadata(SECRETS, secrets),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: `A key that the client makes, such as a UUID, so that it can repeat the request safely for 24 hours: 1 to ${MAX_KEY_LENGTH} printable ASCII characters, with or without double quotes.`,
      // No example: the documentation page would send it, and replay the first response.
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH + 2 },
    }),
  );
