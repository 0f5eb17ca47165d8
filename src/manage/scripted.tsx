import { WORDS } from './words.js';

const { script: words } = WORDS;

/** Renders the place in which the script shows a field as visitors see it. Hidden without the script. */
export function Preview({ field }: { field: string }) {
  return (
    <div class="preview" data-preview="text" data-field={field} hidden>
      <h2>{words.preview}</h2>
      <div class="picture" data-shown />
    </div>
  );
}

/** Marks a form whose fields the script keeps in the browser until the form has been saved. Shows that it has restored them. */
export function Draft() {
  return (
    <div class="notice restored" role="status" data-draft hidden>
      <p>{words.restored}</p>
      <button class="button plain small" type="button">
        {words.discard}
      </button>
    </div>
  );
}
