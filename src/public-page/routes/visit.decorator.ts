import { applyDecorators, Get, Post, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.decorators.js';
import { IGNORES_INPUT } from '../../platform/validation/input.guard.js';

const forVisitors = (method: MethodDecorator) =>
  applyDecorators(method, Public(), SetMetadata(IGNORES_INPUT, true), ApiExcludeEndpoint());

/**
 * A GET endpoint for visitors, without a key. It ignores unknown query parameters (`utm_source=…`), and is not part of the
 * OpenAPI document, which describes the API.
 */
export const Visit = (path: string | string[]) => forVisitors(Get(path));

/** A POST endpoint for the forms of visitors, like {@link Visit}. The handler reads the body. */
export const Submit = (path: string) => forVisitors(Post(path));
