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
