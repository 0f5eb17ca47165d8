import { screen } from './frame.js';
import type { Reply } from './reply.js';
import { WORDS } from './words.js';

const { sign_in: words } = WORDS;

/** Whom a link signs in instead of the present member. */
interface OtherOwner {
  present: string;
  name: string;
  organization: string;
}

/**
 * Renders the button behind a link in mail, because programs that check mail open its links.
 * @param other if the browser has a session of another member than the one of the link
 */
export function renderUseLink(other?: OtherOwner): Reply {
  return screen({
    title: words.link_title,
    children: (
      <div class="sheet narrow">
        <p class="product">{WORDS.product}</p>
        <h1>{words.link_title}</h1>
        <p>{words.link_text}</p>
        {other && (
          <p class="theirs">
            {words.link_present} <bdi>{other.present}</bdi>. {words.link_other} <bdi>{other.name}</bdi> (
            <bdi>{other.organization}</bdi>). {words.link_warning}
          </p>
        )}
        <form method="post" class="form">
          <div class="actions">
            <button class="button" type="submit">
              {words.link_button}
            </button>
            <button class="button plain" type="submit" name="next" value="password">
              {words.link_password}
            </button>
          </div>
        </form>
      </div>
    ),
  });
}
