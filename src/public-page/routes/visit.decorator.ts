import { applyDecorators, Get, SetMetadata } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.decorators.js';
import { IGNORES_INPUT } from '../../platform/validation/input.guard.js';

/**
 * A GET endpoint for visitors, without a key. It ignores unknown query parameters (`utm_source=…`), and is not part of the
 * OpenAPI document, which describes the API.
 */
export const Visit = (path: string | string[]) =>
  applyDecorators(Get(path), Public(), SetMetadata(IGNORES_INPUT, true), ApiExcludeEndpoint());
