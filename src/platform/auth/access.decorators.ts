import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiSecurity } from '@nestjs/swagger';
import type { Scope } from './scopes.js';

/** Metadata key: the scopes that a handler requires. */
export const REQUIRED_SCOPES = 'auth:required-scopes';

/** Metadata key: the handler requires no API key. */
export const IS_PUBLIC = 'auth:is-public';

/** Metadata key: the handler also accepts the API key as the password of Basic authentication. */
export const ACCEPTS_BASIC = 'auth:accepts-basic';

/** Name of the bearer scheme in the OpenAPI document. */
export const SECURITY_SCHEME = 'api_key';

/** Name of the scheme of {@link AcceptsBasic} in the OpenAPI document. */
export const BASIC_SCHEME = 'api_key_as_password';

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

/**
 * Also accepts the API key as the password of Basic authentication (RFC 7617), with any user name, for clients that cannot send
 * the header `Authorization: Bearer`. Use it together with {@link RequireScope}.
 */
export const AcceptsBasic = () =>
  applyDecorators(SetMetadata(ACCEPTS_BASIC, true), ApiSecurity(BASIC_SCHEME));

/** Requires no API key. */
export const Public = () => SetMetadata(IS_PUBLIC, true);
