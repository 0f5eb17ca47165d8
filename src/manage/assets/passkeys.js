// Adds a passkey, and signs in with one. Shows the buttons of both, asks the device, and sends the form with its response. The server
// writes all texts.

(() => {
  if (!('PublicKeyCredential' in window)) return;

  /** @param {string} text base64url */
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

  /** @param {ArrayBuffer} bytes */
  const toText = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');

  // By hand, because parseCreationOptionsFromJSON() and toJSON() are missing in browsers of 2024.

  /** @param {PublicKeyCredentialCreationOptionsJSON} sent by the server, with bytes as texts */
  const create = ({ rp, pubKeyCredParams, timeout, challenge, user, excludeCredentials = [], ...sent }) =>
    navigator.credentials.create({
      publicKey: {
        rp,
        timeout,
        pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ type: 'public-key', alg })),
        challenge: toBytes(challenge),
        user: { ...user, id: toBytes(user.id) },
        excludeCredentials: excludeCredentials.map(({ id }) => ({ type: 'public-key', id: toBytes(id) })),
        attestation: 'none',
        authenticatorSelection: sent.authenticatorSelection,
      },
    });

  /** @param {PublicKeyCredentialRequestOptionsJSON} sent by the server, with bytes as texts */
  const get = ({ rpId, timeout, challenge }) =>
    navigator.credentials.get({
      publicKey: { rpId, timeout, challenge: toBytes(challenge), userVerification: 'required' },
    });

  /** @param {Credential | null} credential of the device */
  function toJson(credential) {
    if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey');
    const { id, response } = credential;
    const texts = new Map();
    for (const name of [
      'clientDataJSON',
      'attestationObject',
      'authenticatorData',
      'signature',
      'userHandle',
    ]) {
      const bytes = Reflect.get(response, name);
      if (bytes) texts.set(name, toText(bytes));
    }
    if (response instanceof AuthenticatorAttestationResponse && 'getTransports' in response)
      texts.set('transports', response.getTransports());
    return JSON.stringify({ id, response: Object.fromEntries(texts) });
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {HTMLFormElement} form
   */
  async function run(button, form) {
    const { passkey, challenge = '', notAllowed, known, failed } = button.dataset;
    const isNew = passkey === 'create';
    const alert = form.querySelector('[data-passkey-error]');
    /** @param {string | undefined} text */
    const show = (text = '') => {
      if (alert instanceof HTMLElement) [alert.textContent, alert.hidden] = [text, text === ''];
    };
    show();
    button.disabled = true;
    try {
      const fields = isNew ? [...new FormData(form)].map(([name, value]) => [name, String(value)]) : [];
      const response = await fetch(challenge, { method: 'POST', body: new URLSearchParams(fields) });
      const sent = await response.json();
      if (!response.ok) return show(sent.error ?? failed);
      const credential = await (isNew ? create(sent) : get(sent));
      const field = document.createElement('input');
      [field.type, field.name, field.value] = ['hidden', 'credential', toJson(credential)];
      form.append(field);
      for (const input of isNew ? form.querySelectorAll('input') : [])
        if (input.type === 'password') input.value = ''; // it has been checked
      button.disabled = false;
      form.requestSubmit(button);
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      show(name === 'NotAllowedError' ? notAllowed : name === 'InvalidStateError' ? known : failed);
    } finally {
      button.disabled = false;
    }
  }

  for (const button of document.querySelectorAll('[data-passkey]')) {
    if (!(button instanceof HTMLButtonElement) || !button.form) continue;
    const { form } = button;
    button.hidden = form.hidden = false;
    button.addEventListener('click', (event) => {
      event.preventDefault();
      void run(button, form);
    });
  }
  for (const text of document.querySelectorAll('[data-without-passkeys]')) text.remove();
})();
