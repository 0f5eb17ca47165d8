import { Injectable } from '@nestjs/common';
import { SignIn } from '../members/sign-in.js';
import { Env } from '../platform/config/env.js';
import type { Reply } from './reply.js';
import { oidcNameOf } from './sign-in-oidc-button.js';
import { renderSignIn, type SignInPage } from './sign-in-page.js';

/** Shows the screen to sign in with all ways that this instance has. */
@Injectable()
export class SignInScreen {
  constructor(
    private readonly signIn: SignIn,
    private readonly env: Env,
  ) {}

  render(page: Omit<SignInPage, 'mail' | 'oidc'>): Reply {
    return renderSignIn({ ...page, mail: this.signIn.mail, oidc: oidcNameOf(this.env) });
  }
}
