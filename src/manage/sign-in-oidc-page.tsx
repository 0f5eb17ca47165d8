import type { OrganizationLink } from '../members/oidc-sign-in.js';
import { screen } from './frame.js';
import type { Reply } from './reply.js';
import { KeptHere, type KeptForm } from './sign-in-page.js';
import { WORDS } from './words.js';

const { sign_in_oidc: words } = WORDS;

/**
 * Renders the page that leads to the provider, immediately or by its link. It is no redirect, because browsers then apply `form-action`
 * to every redirect of the provider. A form that was sent without a session stays in this tab, and the provider opens in another one.
 */
export function renderContinue(url: string, kept?: KeptForm): Reply {
  return screen({
    title: words.continue_title,
    head: !kept && <meta http-equiv="refresh" content={`0;url=${url}`} />,
    children: (
      <div class="sheet narrow">
        <h1>{words.continue_title}</h1>
        <p>
          {words.continue_text} <bdi>{new URL(url).host}</bdi>.
        </p>
        <p>
          <a class="button" href={url} rel="noreferrer" target={kept && '_blank'}>
            {kept ? words.continue_kept : words.continue}
          </a>
        </p>
        {kept && <KeptHere kept={kept} text={words.kept} />}
      </div>
    ),
  });
}

/** Renders a button for each organization of a person. */
export function renderChoice(links: OrganizationLink[]): Reply {
  return screen({
    title: words.choose_title,
    children: (
      <div class="sheet narrow">
        <h1>{words.choose_title}</h1>
        <p>{words.choose_text}</p>
        {links.map(({ organization, token }) => (
          <form method="post" action={`/manage/sign-in/${token}`}>
            <button class="button" type="submit">
              <bdi>{words.choose(organization)}</bdi>
            </button>
          </form>
        ))}
      </div>
    ),
  });
}
