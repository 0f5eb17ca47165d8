import { WORDS } from './words.js';

const { passkeys: words } = WORDS;

interface Action {
  /** `create`: adds a passkey. `get`: signs in. */
  kind: 'create' | 'get';
  text: string;
  /** Path of the challenge. */
  challenge: string;
  /** Path to which the form is sent with the passkey; omitted: the form's own. */
  action?: string;
  /** Whether the button is beside the main one. */
  isPlain?: boolean;
}

/** Renders a button that asks the device for a passkey, then sends its form. The script shows it if the browser supports passkeys. */
export function PasskeyAction({ kind, text, challenge, action, isPlain = false }: Action) {
  return (
    <>
      <button
        class={isPlain ? 'button plain' : 'button'}
        type="submit"
        name="way"
        value="passkey"
        formAction={action}
        formNoValidate
        data-passkey={kind}
        data-challenge={challenge}
        data-not-allowed={words.not_allowed}
        data-known={words.known}
        data-failed={words.failed}
        hidden
      >
        {text}
      </button>
      <p class="error" role="alert" data-passkey-error hidden />
    </>
  );
}

/** Renders the button that signs in, within the form to sign in. */
export function PasskeySignInAction() {
  const path = '/manage/sign-in/passkey';
  return (
    <PasskeyAction
      kind="get"
      text={words.sign_in}
      challenge={`${path}/challenge`}
      action={`${path}/response`}
      isPlain
    />
  );
}
