import { randomBytes } from 'node:crypto';
import { PublicUrl } from '../../src/platform/config/public-url.js';
import { Authenticator, type Lie, type Options } from '../support/authenticator.js';
import type { TestServer } from '../support/server.js';
import { type Person, type Shown, useConsole } from './use-console.js';

export const ACCOUNT = '/manage/account';
export const CHALLENGE = '/manage/sign-in/passkey/challenge';
export const RESPONSE = '/manage/sign-in/passkey/response';

/** Returns the cookies that a response sets, as a browser sends them. */
export const cookiesOf = ({ headers }: Shown) =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');

/** Passkeys of members, over HTTP. The server trusts one proxy, so that each test has a client network of its own. */
export function usePasskeys(server: TestServer) {
  const { ask } = useConsole(server);

  /** Returns the header of a new client network. */
  const newNetwork = () => ({ 'X-Forwarded-For': `203.0.${[...randomBytes(2)].join('.')}` });

  const device = () => {
    const { value, host } = server.app.get(PublicUrl, { strict: false });
    return new Authenticator(value, host);
  };

  /** Asks for the challenge of a new passkey. */
  const begin = (one: Person, fields: Record<string, string> = {}) =>
    one.post(`${ACCOUNT}/passkeys/challenge`, fields);

  /** Sends a new passkey. */
  const finish = (one: Person, credential: string, headers: Record<string, string> = {}) =>
    one.post(`${ACCOUNT}/passkeys`, { credential }, headers);

  /** Adds the passkey of a device. */
  async function add(one: Person, own: Authenticator, lie: Lie = {}): Promise<Shown> {
    const options: Options = JSON.parse((await begin(one)).text);
    return finish(one, own.create(options, lie));
  }

  /** Asks for the challenge of a sign-in. */
  async function challenge(headers = newNetwork()): Promise<{ options: Options; cookie: string }> {
    const shown = await ask(CHALLENGE, { form: {}, headers });
    return { options: JSON.parse(shown.text), cookie: cookiesOf(shown) };
  }

  /** Sends the response of a device. */
  const respond = (credential: string, cookie = '', headers = newNetwork()) =>
    ask(RESPONSE, { form: { credential, to: '/manage/pages' }, cookie, headers });

  /** Signs in with a device. */
  async function signIn(own: Authenticator, lie: Lie = {}, headers = newNetwork()): Promise<Shown> {
    const { options, cookie } = await challenge(headers);
    return respond(own.get(options, lie), cookie, headers);
  }

  return { add, begin, challenge, device, finish, newNetwork, respond, signIn };
}
