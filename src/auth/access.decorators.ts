import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Scope } from './scopes.js';

/** Metadata key: the scopes that a handler requires. */
export const REQUIRED_SCOPES = 'auth:required-scopes';

/** Metadata key: the handler needs no API key. */
export const IS_PUBLIC = 'auth:is-public';

/** The name of the bearer scheme in the OpenAPI document. */
export const SECURITY_SCHEME = 'api_key';

const requireScopes = (scopes: Scope[]) =>
  applyDecorators(SetMetadata(REQUIRED_SCOPES, scopes), ApiSecurity(SECURITY_SCHEME, scopes));

/**
 * Requires an API key with all these scopes (spec, section 5), and documents them.
 *
 *     @Get()
 *     @RequireScope('monitors:read')
 */
export const RequireScope = (first: Scope, ...others: Scope[]) => requireScopes([first, ...others]);

/** Requires a valid API key with any scopes. */
export const AnyKey = () => requireScopes([]);

/** Requires no API key. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
