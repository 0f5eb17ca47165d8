import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Keys by their names. Creating them takes long. */
const KEYS = new Map<string, ReturnType<typeof createKey>>();

const createKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An issuer whose responses a test chooses. */
export class HostileIssuer {
  /** Changes of the metadata. */
  metadata: Record<string, unknown> = {};
  header: Record<string, unknown> = {};
  claims: Record<string, unknown> = {};
  /** Responds instead of the issuer; undefined: the issuer. */
  respond: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** Parameters of the last request for tokens. */
  tokenRequest = new URLSearchParams();
  /** Changes the ID token. */
  forge: (token: string) => string = (token) => token;
  readonly requests: string[] = [];
  private key!: KeyObject;
  private jwk: Record<string, unknown> = {};

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {
    this.rotate('first');
  }

  static async start(): Promise<HostileIssuer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const started = new HostileIssuer(`http://127.0.0.1:${address.port}`, server);
    server.on('request', (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => started.handle(request.url ?? '', body, response));
    });
    return started;
  }

  /** Replaces the key. */
  rotate(kid: string): void {
    const { privateKey, publicKey } = KEYS.get(kid) ?? createKey();
    KEYS.set(kid, { privateKey, publicKey });
    this.key = privateKey;
    this.jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  }

  /** The public key as the secret of an HMAC, for confused algorithms. */
  publicKey(): string {
    return JSON.stringify(this.jwk);
  }

  /** Returns the query of a callback for an authorization URL. */
  callback(authorizationUrl: string, changes: Record<string, string | null> = {}): string {
    const { searchParams } = new URL(authorizationUrl);
    this.nonce = searchParams.get('nonce') ?? '';
    this.challenge = searchParams.get('code_challenge') ?? '';
    this.clientId = searchParams.get('client_id') ?? '';
    const state = searchParams.get('state') ?? '';
    const search = new URLSearchParams({ code: 'code', state, iss: this.issuer });
    for (const [name, value] of Object.entries(changes))
      if (value === null) search.delete(name);
      else search.set(name, value);
    return `?${search}`;
  }

  private nonce = '';
  private challenge = '';
  private clientId = '';

  /** Whether the last verifier of PKCE matches the challenge. */
  get isVerified(): boolean {
    const verifier = this.tokenRequest.get('code_verifier') ?? '';
    return createHash('sha256').update(verifier).digest('base64url') === this.challenge;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private handle(path: string, body: string, response: ServerResponse): void {
    this.requests.push(path);
    if (this.respond?.(path, response)) return;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.documentAt(path, body)));
  }

  private documentAt(path: string, body: string): object {
    const { issuer } = this;
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          authorization_response_iss_parameter_supported: true,
          token_endpoint_auth_methods_supported: ['client_secret_post'],
          ...this.metadata,
        };
      case '/jwks':
        return { keys: [this.jwk] };
      default:
        this.tokenRequest = new URLSearchParams(body);
        return { access_token: 'access', token_type: 'bearer', id_token: this.forge(this.idToken()) };
    }
  }

  private idToken(): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: this.issuer,
      sub: 'ada',
      aud: this.clientId,
      nonce: this.nonce,
      iat: now,
      exp: now + 60,
      email: 'ada@acme.com',
      email_verified: true,
      ...this.claims,
    };
    const header = { alg: 'RS256', kid: this.jwk['kid'], ...this.header };
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${text}.${sign('sha256', Buffer.from(text), this.key).toString('base64url')}`;
  }
}
