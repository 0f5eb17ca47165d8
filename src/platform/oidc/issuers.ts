import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  None,
  type ServerMetadata,
  setJwksCache,
} from 'openid-client';
import { IssuerRequests, REQUEST_SECONDS } from './issuer-requests.js';

/** Number of issuers in memory, each with at most 256 KiB. */
const MAX_ISSUERS = 100;

/** Time for which the metadata of an issuer is kept. */
const METADATA_MS = 10 * 60_000;

/** Time for which a failed request for metadata is not repeated, so that people do not wait for each other's timeouts. */
const FAILURE_MS = 5_000;

/** Time for which keys are kept, in seconds. openid-client keeps keys for 300 seconds, and reads them again after 60 for a key that it does not know. */
const KEYS_SECONDS = 240;
const OLD_ENOUGH_SECONDS = 60;

/** A client that is registered with an issuer. */
export interface OidcClient {
  issuer: string;
  client_id: string;
  /** null: a public client, which only PKCE protects. */
  client_secret: string | null;
}

type Keys = NonNullable<ReturnType<typeof getJwksCache>>;

interface Issuer {
  metadata: Promise<ServerMetadata>;
  /** Keys of signatures, and when they were read, in seconds. */
  keys?: Keys;
}

/** Short reason why a sign-in at an issuer is not possible, such as metadata that names another issuer. */
export class IssuerError extends Error {
  override readonly name = 'IssuerError';
}

/** Reads the metadata and the keys of issuers of OpenID Connect, and keeps them in memory. */
@Injectable()
export class Issuers {
  private readonly issuers = new LRUCache<string, Issuer>({ max: MAX_ISSUERS, ttl: METADATA_MS });

  constructor(private readonly requests: IssuerRequests) {}

  /** Returns the configuration of openid-client. @throws Error if the issuer's metadata cannot be read */
  async configurationOf(client: OidcClient): Promise<Configuration> {
    const metadata = await this.issuerOf(client.issuer).metadata;
    const { client_id, client_secret } = client;
    const configuration = new Configuration(
      metadata,
      client_id,
      client_secret === null ? {} : { client_secret },
      authenticationOf(metadata, client_secret),
    );
    this.prepare(configuration);
    enableNonRepudiationChecks(configuration); // also checks signatures of tokens that come directly from the issuer
    return configuration;
  }

  /**
   * Runs a task that verifies signatures, with the keys in memory. If the issuer has signed with another key, they are read
   * again. The caller cannot choose the key of a token, so there are no more requests than tokens.
   */
  async withKeys<Result>(
    issuer: string,
    configuration: Configuration,
    task: () => Promise<Result>,
  ): Promise<Result> {
    const { keys } = this.issuerOf(issuer);
    const now = Math.floor(Date.now() / 1_000);
    const isFresh = keys !== undefined && now >= keys.uat && now - keys.uat < KEYS_SECONDS;
    const uat = isFresh ? keys.uat - OLD_ENOUGH_SECONDS : 0;
    if (isFresh) setJwksCache(configuration, { jwks: keys.jwks, uat });
    const result = await task();
    const used = getJwksCache(configuration);
    if (used && used.uat !== uat) this.issuerOf(issuer).keys = used;
    return result;
  }

  private issuerOf(issuer: string): Issuer {
    const known = this.issuers.get(issuer);
    if (known) return known;
    const found: Issuer = { metadata: this.discover(issuer) };
    this.issuers.set(issuer, found);
    found.metadata.catch(() => {
      if (this.issuers.peek(issuer) === found) this.issuers.set(issuer, found, { ttl: FAILURE_MS });
    });
    return found;
  }

  private async discover(issuer: string): Promise<ServerMetadata> {
    const configuration = await discovery(new URL(issuer), 'discovery', {}, None(), {
      [customFetch]: this.requests.fetch,
      timeout: REQUEST_SECONDS,
      execute: [allowInsecureRequests], // the guard allows `http:` only for WEBHOOK_ALLOWED_NETWORKS
    });
    return checkMetadata(configuration.serverMetadata(), issuer);
  }

  private prepare(configuration: Configuration): void {
    configuration[customFetch] = this.requests.fetch;
    configuration.timeout = REQUEST_SECONDS;
    allowInsecureRequests(configuration);
  }
}

/** Returns the used part of an issuer's metadata. @throws IssuerError */
export function checkMetadata(metadata: ServerMetadata, issuer: string): ServerMetadata {
  // openid-client accepts the placeholder that Microsoft's `common` and `organizations` have instead of an organization's ID.
  if (new URL(metadata.issuer).href !== new URL(issuer).href)
    throw new IssuerError('the issuer names another issuer');
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined)
    throw new IssuerError('the metadata of the issuer lacks an endpoint');
  const { protocol } = new URL(authorization_endpoint);
  if (protocol !== 'https:' && !(protocol === 'http:' && issuer.startsWith('http:')))
    throw new IssuerError('the authorization endpoint does not use https');
  return {
    issuer: metadata.issuer,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    ...(userinfo_endpoint !== undefined && { userinfo_endpoint }),
    ...pick(metadata, 'id_token_signing_alg_values_supported'),
    ...pick(metadata, 'token_endpoint_auth_methods_supported'),
    ...pick(metadata, 'authorization_response_iss_parameter_supported'),
  };
}

function pick<Name extends keyof ServerMetadata>(metadata: ServerMetadata, name: Name): ServerMetadataPart {
  return metadata[name] === undefined ? {} : { [name]: metadata[name] };
}

type ServerMetadataPart = Partial<ServerMetadata>;

/** `client_secret_basic` is the default of the specification, but some issuers decode it in their own way. */
function authenticationOf(
  { token_endpoint_auth_methods_supported: methods }: ServerMetadata,
  secret: string | null,
) {
  if (secret === null) return None();
  return Array.isArray(methods) && methods.includes('client_secret_post')
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret);
}
