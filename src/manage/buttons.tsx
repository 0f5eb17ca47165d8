/** Renders the button that sends a form. `isPlain`: the form is not the main one of its screen. */
export function SubmitButton({ text, isPlain = false }: { text: string; isPlain?: boolean }) {
  return (
    <div class="actions">
      <button class={isPlain ? 'button plain' : 'button'} type="submit">
        {text}
      </button>
    </div>
  );
}

/** Renders a link that looks like a button. `kind`: `main` for the most frequent action of its screen. */
export function LinkButton({ path, text, kind }: { path: string; text: string; kind?: 'main' | 'danger' }) {
  return (
    <div class="actions">
      <a class={kind === undefined ? 'button' : `button ${kind}`} href={path}>
        {text}
      </a>
    </div>
  );
}
