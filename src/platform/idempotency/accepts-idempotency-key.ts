import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { MAX_KEY_LENGTH } from '../server/idempotency-key.js';
import { IdempotencyInterceptor, SECRETS } from './idempotency.interceptor.js';

/**
 * Makes a POST safe to repeat. The handler runs once for each `Idempotency-Key`, and its response is replayed for a day. Every
 * POST uses this decorator. Place it last, below decorators with interceptors, so that the stored response contains their
 * headers:
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
      description: `A unique value that the client generates, such as a UUID: 1 to ${MAX_KEY_LENGTH} printable ASCII characters, with or without double quotes. A request that is repeated with the same key within 24 hours returns the original response.`,
      // No example, because the documentation page would send it, and replay the first response.
      schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH + 2 },
    }),
  );
