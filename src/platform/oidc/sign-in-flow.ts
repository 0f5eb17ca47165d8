import { Injectable } from '@nestjs/common';
import { SecretsService } from '../secrets/secrets.service.js';

const PURPOSE = 'access: oidc flow';

/** Time in which a person must sign in. */
export const FLOW_SECONDS = 600;

/** Place, settings and host to which a sign-in is bound. */
export interface FlowBinding {
  /** Page that a visitor enters; null: the console. */
  page_id: string | null;
  /** Version of the access rules, or the settings of the console's provider. */
  version: string;
  /** Names the host on which the browser started. */
  redirect_uri: string;
}

/** A sign-in in progress. Only the browser stores it. */
export interface SignInFlow extends FlowBinding {
  state: string;
  nonce: string;
  /** Verifier of PKCE. */
  verifier: string;
  /** Part of the page, or path of the console, that the person wanted. */
  to: string;
}

/** A sign-in with its end, in milliseconds. */
interface SealedFlow extends SignInFlow {
  expires_at: number;
}

/** Encrypts sign-ins in progress for a cookie. */
@Injectable()
export class SignInFlows {
  constructor(private readonly secrets: SecretsService) {}

  /** Returns the value of the cookie. */
  seal(flow: SignInFlow): string {
    const sealed: SealedFlow = { ...flow, expires_at: Date.now() + FLOW_SECONDS * 1_000 };
    return this.secrets.encrypt(PURPOSE, JSON.stringify(sealed)).toString('base64url');
  }

  /** Returns the sign-in, or undefined if the value is forged or expired, or bound to something else. */
  open(value: string | undefined, binding: FlowBinding): SignInFlow | undefined {
    const sealed = value === undefined ? undefined : this.decrypt(value);
    if (!sealed || !(sealed.expires_at > Date.now())) return undefined;
    const { page_id, version, redirect_uri, state, nonce, verifier, to } = sealed;
    const isBound =
      page_id === binding.page_id && version === binding.version && redirect_uri === binding.redirect_uri;
    return isBound ? { page_id, version, redirect_uri, state, nonce, verifier, to } : undefined;
  }

  private decrypt(value: string): SealedFlow | undefined {
    try {
      return JSON.parse(this.secrets.decrypt(PURPOSE, Buffer.from(value, 'base64url')));
    } catch {
      return undefined;
    }
  }
}
