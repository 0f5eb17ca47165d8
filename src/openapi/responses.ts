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
} from '@nestjs/swagger';
import type { Response } from 'express';
import { type Observable, tap } from 'rxjs';
import { Pagination } from '../pagination/page.js';
import type { ProblemCode } from '../problems/catalogue.js';

/** One resource, as handlers answer it. */
interface One<T> {
  data: T;
}

/** Answers one resource, `{"data": …}`. If it has an `updated_at`, an ETag is made of it (`adapter.ts`). */
export const RespondsWithOne = (dto: Type) =>
  applyDecorators(
    ApiExtraModels(dto),
    ApiOkResponse({ description: 'The resource.', schema: schemaOfOne(dto) }),
  );

/** Answers 201 with the resource that was made, and in `Location` where it is; null: nothing was made, which is 200. */
export const RespondsWithCreated = <T>(dto: Type<T>, location: (made: T) => string | null) =>
  applyDecorators(
    ApiExtraModels(dto),
    ApiCreatedResponse({
      description: 'The new resource.',
      headers: { Location: LOCATION_HEADER },
      schema: schemaOfOne(dto),
    }),
    UseInterceptors(locationInterceptor(location)),
  );

/** Answers 204, without a body. */
export const RespondsWithNothing = () =>
  applyDecorators(HttpCode(204), ApiNoContentResponse({ description: 'Success, without a body.' }));

/** The key under which {@link RespondsWithProblems} leaves its codes for `openapi.ts`. */
export const RESPONSE_PROBLEMS = 'x-problems';

/** Documents errors that do not follow from what the operation takes. */
export const RespondsWithProblems = (...codes: ProblemCode[]) => ApiExtension(RESPONSE_PROBLEMS, codes);

/** Answers a page of a list, `{"data": […], "pagination": …}`. */
export const RespondsWithPage = (dto: Type) =>
  applyDecorators(
    ApiExtraModels(dto, Pagination),
    ApiOkResponse({
      description: 'One page of the list, newest first.',
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

function schemaOfOne(dto: Type) {
  return { type: 'object', required: ['data'], properties: { data: { $ref: getSchemaPath(dto) } } };
}

const LOCATION_HEADER = {
  required: true,
  description: 'The path of the resource.',
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
