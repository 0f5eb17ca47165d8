import { applyDecorators, Get, Post, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.decorators.js';
import { IGNORES_INPUT } from '../../platform/validation/input.guard.js';
import { OwnForms } from './own-forms.interceptor.js';

const forVisitors = (method: MethodDecorator) =>
  applyDecorators(method, Public(), SetMetadata(IGNORES_INPUT, true), ApiExcludeEndpoint());

/**
 * A GET endpoint for visitors, without a key. It ignores unknown query parameters (`utm_source=…`), and is not part of the
 * OpenAPI document, which describes the API.
 */
export const Visit = (path: string | string[]) => forVisitors(Get(path));

/**
 * A POST endpoint for the forms of visitors, like {@link Visit}. The handler reads the body. Forms that another site sends in a
 * visitor's browser get 403.
 */
export const Submit = (path: string) => applyDecorators(SubmitFromAnywhere(path), UseInterceptors(OwnForms));

/** Like {@link Submit}, also for other sites. Only for links with a token that is all that a request needs (RFC 8058). */
export const SubmitFromAnywhere = (path: string) => forVisitors(Post(path));
