import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Scope } from './scopes.js';

/** Metadata key of the scope that a handler requires. */
export const REQUIRED_SCOPE = 'auth:required-scope';

/** Metadata key of a handler that needs no key. */
export const IS_PUBLIC = 'auth:is-public';

/** The name of the bearer scheme in the OpenAPI document. */
export const SECURITY_SCHEME = 'api_key';

/** The operation requires a key with this scope (spec, section 5), and says so in the OpenAPI document. */
export const RequireScope = (scope: Scope) =>
  applyDecorators(SetMetadata(REQUIRED_SCOPE, scope), ApiSecurity(SECURITY_SCHEME, [scope]));

/** The operation needs no key. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
