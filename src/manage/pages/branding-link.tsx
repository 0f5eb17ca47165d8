import { PLACEMENTS } from '../../branding/branding-values.js';
import { WORDS } from '../words.js';
import type { LinkValues } from './branding-values.js';

const words = WORDS.page.branding;

/** Renders the fields of one of the page's links. */
export function Link({ link: { label, url, placement }, index }: { link: LinkValues; index: number }) {
  const idOf = (part: string) => `link-${part}-${index}`;
  return (
    <fieldset>
      <legend>{words.link(index + 1)}</legend>
      <div class="linked">
        <div>
          <label for={idOf('text')}>{words.link_text}</label>
          <input
            type="text"
            id={idOf('text')}
            name="link_label"
            value={label}
            autocomplete="off"
            dir="auto"
          />
        </div>
        <div>
          <label for={idOf('url')}>{words.link_url}</label>
          <input type="text" id={idOf('url')} name="link_url" value={url} autocomplete="off" dir="auto" />
        </div>
        <div>
          <label for={idOf('place')}>{words.link_place}</label>
          <select id={idOf('place')} name={`link_placement.${index}`}>
            {PLACEMENTS.map((value) => (
              <option value={value} selected={value === placement}>
                {words.places[value]}
              </option>
            ))}
          </select>
        </div>
      </div>
    </fieldset>
  );
}
