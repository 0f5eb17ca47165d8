import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** An account of the provider. */
export interface Account {
  email?: string;
  email_verified?: boolean;
}

export const CLIENT = { client_id: 'status-page', client_secret: 'a secret of 32 characters & more' };

/** An OpenID provider on a local port, whose only user is signed in. */
export class TestProvider {
  account: Account = { email: 'ada@acme.com', email_verified: true };
  /** Whether the user cancels. */
  isCancelling = false;
  readonly requests: string[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  /** @param redirectUris URLs of callbacks */
  static async start(redirectUris: string[], inIdToken = true): Promise<TestProvider> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    const started = new TestProvider(`http://127.0.0.1:${address.port}`, server);
    const provider = new Provider(started.issuer, {
      clients: [{ ...CLIENT, redirect_uris: redirectUris, token_endpoint_auth_method: 'client_secret_post' }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      conformIdTokenClaims: !inIdToken,
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['test'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...started.account }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    });
    const handle = provider.callback();
    const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { prompt, params, grantId } = await provider.interactionDetails(request, response);
      if (started.isCancelling)
        return provider.interactionFinished(request, response, { error: 'access_denied' });
      if (prompt.name === 'login')
        return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
      const grant = new provider.Grant({ accountId: 'ada', clientId: String(params['client_id']) });
      grant.addOIDCScope('openid email');
      const saved = grantId ?? (await grant.save());
      return provider.interactionFinished(request, response, { consent: { grantId: saved } });
    };
    server.on('request', (request, response) => {
      started.requests.push(`${request.method} ${request.url?.split('?')[0]}`);
      if (request.url?.startsWith('/interaction/')) void interact(request, response);
      else void handle(request, response);
    });
    return started;
  }

  /** Follows the provider's redirects like a browser, and returns the URL of the callback. */
  async signIn(authorizationUrl: string): Promise<string> {
    const cookies = new Map<string, string>();
    for (let url = authorizationUrl, hops = 0; hops < 10; hops++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      await response.text();
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider has responded ${response.status}`);
      url = new URL(location, url).href;
      if (!url.startsWith(`${this.issuer}/`)) return url;
    }
    throw new Error('too many redirects');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
