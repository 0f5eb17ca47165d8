import type { Env } from '../platform/config/env.js';
import { OIDC_PATH } from '../members/oidc-sign-in.js';
import { WORDS } from './words.js';

const { sign_in_oidc: words } = WORDS;

/** Returns the name of the provider of OpenID Connect for the button, or undefined without a provider. */
export function oidcNameOf({ OIDC_ISSUER, OIDC_NAME }: Env): string | undefined {
  return OIDC_ISSUER === undefined ? undefined : (OIDC_NAME ?? words.default_name);
}

/** Renders the button in the form of the sign-in that leads to the provider. The form then needs no fields. */
export function OidcButton({ name }: { name: string }) {
  return (
    <div class="actions">
      <button class="button plain" type="submit" formaction={OIDC_PATH} formnovalidate>
        {words.button(name)}
      </button>
    </div>
  );
}
