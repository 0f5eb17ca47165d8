/** Purpose with which `SecretsService` encrypts client secrets of OpenID Connect. */
export const OIDC_SECRET = 'oidc client secret';
