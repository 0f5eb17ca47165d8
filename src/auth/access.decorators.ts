import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Scope } from './scopes.js';

/** Metadata key of the scopes that a handler requires. */
export const REQUIRED_SCOPES = 'auth:required-scopes';

/** Metadata key of a handler that needs no key. */
export const IS_PUBLIC = 'auth:is-public';

/** The name of the bearer scheme in the OpenAPI document. */
export const SECURITY_SCHEME = 'api_key';

const requireScopes = (scopes: Scope[]) =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiSecurity(SECURITY_SCHEME, scopes));

/** The operation requires a key with all these scopes (spec, section 5), and says so in the OpenAPI document. */
export const RequireScope = (first: Scope, ...others: Scope[]) => requireScopes([first, ...others]);

/** The operation requires a key that holds, whatever its scopes. */
export const AnyKey = () => requireScopes([]);

/** The operation needs no key. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
