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
