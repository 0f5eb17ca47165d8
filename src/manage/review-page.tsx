import type { ComponentChildren } from 'preact';
import { Markdown } from '../page-documents/components/text.js';
import type { EventText } from '../page-model/event-text.js';
import { Token } from './fields.js';
import { Kept } from './kept-fields.js';
import { screen } from './frame.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { ownPath, type Reply } from './reply.js';
import type { Visit } from './visit.js';
import type { VisitorsView } from './visitors-view.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

/** Fields that the buttons of the review replace. */
const CONTROL = new Set(['step', 'key', 'find']);

interface Review {
  /** Path to which the form is sent again. */
  action: string;
  reach: DryRunNotificationsDto;
  key: string;
  view: VisitorsView;
  /** Content that visitors of the page will see. */
  picture: ComponentChildren;
  /** Texts of the mail; omitted: no mail. */
  mail?: EventText | undefined;
  /** Text of the button that publishes. */
  button?: string;
  /** Whether the form can be shown again to change it. */
  canChange?: boolean;
}

/** Renders what visitors will see and who gets mail, before anything is sent. Its form publishes exactly that. */
export function renderReview(visit: Visit, review: Review): Reply {
  const { action, reach, key, view, picture, mail, button = words.publish, canChange = true } = review;
  const isSilent = reach.email + reach.webhook === 0;
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{words.text}</p>
        <form class="form" method="post" action={action}>
          <Token visit={visit} />
          <Kept sent={visit.sent} without={CONTROL} />
          <input type="hidden" name="key" value={key} />
          <dl class="reach">
            <Number value={reach.email} text={words.people(reach.email)} />
            <Number value={reach.webhook} text={words.endpoints(reach.webhook)} />
            <Number value={reach.pages.length} text={words.pages(reach.pages.length)} />
          </dl>
          {isSilent && <p class="quiet">{words.silent}</p>}
          <div class="actions">
            <button class="button" type="submit" name="step" value="publish">
              {button}
            </button>
            {canChange ? (
              <button class="button plain" type="submit" name="step" value="change">
                {words.change}
              </button>
            ) : (
              <a class="button" href={ownPath(visit.sent.get('back'))}>
                {words.cancel}
              </a>
            )}
          </div>
        </form>
        <section>
          <h2>{words.page}</h2>
          <div class="picture" lang={view.words.language} dir={view.words.direction}>
            {view.page && (
              <p class="label">
                <bdi>{view.page.name}</bdi>
              </p>
            )}
            {picture}
          </div>
        </section>
        {mail && !isSilent && (
          <section>
            <h2>{words.mail}</h2>
            <div class="picture" lang={view.words.language} dir={view.words.direction}>
              <p class="label">
                <bdi>{view.page?.name ?? ''}</bdi>
              </p>
              <h3>{mail.title}</h3>
              <p class="quiet">{mail.when}</p>
              {mail.affected !== '' && <p>{mail.affected}</p>}
              <Markdown text={mail.body} level={4} />
            </div>
          </section>
        )}
      </>
    ),
  });
}

function Number({ value, text }: { value: number; text: string }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>{value.toLocaleString('en')}</dd>
    </div>
  );
}
