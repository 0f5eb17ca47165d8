import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  HttpCode,
  mixin,
  type NestInterceptor,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtension,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  getSchemaPath,
  type OpenAPIObject,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { Pagination } from '../pagination/list-page.js';
import type { ProblemCode } from '../problems/catalogue.js';

/** JSON Schema of a property. */
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** One resource, as returned by handlers. */
interface One<T> {
  data: T;
}

/**
 * Documents a response with one resource, `{"data": …}`. If it has `updated_at`, the response has an ETag (`etag.ts`).
 *
 *     @Get(':id')
 *     @RespondsWithOne(MonitorDto)
 *
 * @param others the schemas of the fields beside `data`
 * @param optional the same, for fields that a response can omit
 */
export const RespondsWithOne = (
  dto: Type,
  others: Record<string, Schema> = {},
  optional: Record<string, Schema> = {},
) =>
  applyDecorators(
    ApiExtraModels(dto),
    ApiOkResponse({ description: 'The result.', schema: schemaOfOne(dto, others, optional) }),
  );

/**
 * Responds 201 with the new resource and its path in `Location`, or 200 if `location` returns null. Omit `location` if the
 * resource has no path and cannot be read again.
 * @param optional the schemas of the fields beside `data`, which a response can omit
 */
export const RespondsWithCreated = <T>(
  dto: Type<T>,
  location?: (made: T) => string | null,
  optional: Record<string, Schema> = {},
) =>
  applyDecorators(
    ApiExtraModels(dto),
    ApiCreatedResponse({
      description: 'The new resource.',
      ...(location && { headers: { Location: LOCATION_HEADER } }),
      schema: schemaOfOne(dto, {}, optional),
    }),
    ...(location ? [UseInterceptors(locationInterceptor(location))] : []),
  );

/** Responds 204 without a body. */
export const RespondsWithNothing = () =>
  applyDecorators(HttpCode(204), ApiNoContentResponse({ description: 'Success, without a body.' }));

/** Extension that passes the codes of {@link RespondsWithProblems} to `document.ts`. */
export const RESPONSE_PROBLEMS = 'x-problems';

/** Documents error codes that `document.ts` cannot derive from the parameters of the operation. */
export const RespondsWithProblems = (...codes: ProblemCode[]) => ApiExtension(RESPONSE_PROBLEMS, codes);

/** Documents a response with a page of results, `{"data": […], "pagination": …}`. */
export const RespondsWithList = (dto: Type) =>
  applyDecorators(
    ApiExtraModels(dto, Pagination),
    ApiOkResponse({
      description: 'One page of results, newest first.',
      schema: {
        type: 'object',
        required: ['data', 'pagination'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(dto) }, maxItems: 100 },
          pagination: { $ref: getSchemaPath(Pagination) },
        },
      },
    }),
  );

function schemaOfOne(dto: Type, others: Record<string, Schema>, optional: Record<string, Schema>) {
  const required = { data: { $ref: getSchemaPath(dto) }, ...others };
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

const LOCATION_HEADER = {
  required: true,
  description: 'URL path of the new resource.',
  schema: { type: 'string', format: 'uri-reference', maxLength: 200 },
} as const;

function locationInterceptor<T>(location: (made: T) => string | null): Type<NestInterceptor> {
  class LocationInterceptor implements NestInterceptor<One<T>, One<T>> {
    intercept(context: ExecutionContext, next: CallHandler<One<T>>): Observable<One<T>> {
      const response = context.switchToHttp().getResponse<Response>();
      return next.handle().pipe(
        tap(({ data }) => {
          const path = location(data);
          if (path === null) response.status(200);
          else response.set('Location', path);
        }),
      );
    }
  }
  return mixin(LocationInterceptor);
}
