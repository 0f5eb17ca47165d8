import type { ComponentChildren } from 'preact';
import { Markdown } from '../page-documents/components/text.js';
import type { EventText } from '../page-model/event-text.js';
import { Summary, Token } from './fields.js';
import { Kept } from './kept-fields.js';
import { screen } from './frame.js';
import type { DryRunNotificationsDto } from '../platform/dry-run/dry-run.dto.js';
import { REACH_FIELDS } from './published.js';
import { ownPath, type Reply } from './reply.js';
import { PageNames } from './shown-on.js';
import type { ReviewedPages } from './shown-pages.js';
import type { Visit } from './visit.js';
import type { VisitorsView } from './visitors-view.js';
import { WORDS } from './words.js';

const { review: words } = WORDS;

/** Fields that the buttons of the review replace. */
const CONTROL = new Set(['step', 'key', 'find', ...Object.values(REACH_FIELDS)]);

/** Contents of a review, and the continuation of its form. */
export interface Review {
  /** Path to which the form is sent again. */
  action: string;
  reach: DryRunNotificationsDto;
  key: string;
  /** Pages that will show it. */
  shown: ReviewedPages;
  /** View of the first of them. */
  view: VisitorsView;
  /** Content that visitors of the page will see. */
  picture: ComponentChildren;
  /** Other effects. */
  effects?: ComponentChildren;
  /** Further facts about what is published. */
  facts?: string | undefined;
  /** Effects that the member might not expect. */
  warnings?: readonly string[];
  /** A fact about what the page shows. */
  note?: string | undefined;
  /** Texts of the mail; omitted: no mail. */
  mail?: EventText | undefined;
  /** Whether all pages show it because the member has chosen neither monitors nor pages. */
  isOnAll?: boolean;
  /** Whether it is over, so that no message is sent. */
  isPast?: boolean;
  /** Text of the button that publishes. */
  button?: string;
  /** Whether the button takes something away. */
  isDangerous?: boolean;
  /** Whether the form can be shown again to change it. */
  canChange?: boolean;
}

/** Renders what visitors will see and who gets mail, before anything is sent. Its form publishes exactly that. */
export function renderReview(visit: Visit, review: Review): Reply {
  const { action, reach, key, shown, effects, warnings = [], button, canChange = true } = review;
  const isSilent = reach.email + reach.webhook === 0;
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{button === undefined ? words.text : words.text_of_action(button)}</p>
        <form class="form" method="post" action={action}>
          <Token visit={visit} />
          <Kept sent={visit.sent} without={CONTROL} />
          <input type="hidden" name="key" value={key} />
          <input type="hidden" name={REACH_FIELDS.email} value={reach.email} />
          <input type="hidden" name={REACH_FIELDS.webhook} value={reach.webhook} />
          {warnings.map((text) => (
            <Summary role="status" text={text} />
          ))}
          {shown.total === 0 && <Summary role="status" text={words.no_page} />}
          {review.isOnAll && shown.total > 0 && (
            <Summary role="status" text={words.no_monitor(shown.total)} />
          )}
          <dl class="reach">
            {!isSilent && (
              <>
                <Number value={reach.email} text={words.people(reach.email)} />
                <Number value={reach.webhook} text={words.endpoints(reach.webhook)} />
              </>
            )}
            <Number value={shown.total} text={words.pages(shown.total)}>
              {shown.total > 0 && (
                <dd class="names">
                  <PageNames shown={shown} />
                </dd>
              )}
            </Number>
          </dl>
          {review.facts !== undefined && <p>{review.facts}</p>}
          {isSilent && <p class="quiet">{silentText(visit, review)}</p>}
          <div class="actions">
            <button
              class={review.isDangerous ? 'button danger' : 'button'}
              type="submit"
              name="step"
              value="publish"
            >
              {button ?? words.publish}
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
        {effects}
        {shown.total > 0 && <Seen review={review} />}
        {!isSilent && <Mail review={review} />}
      </>
    ),
  });
}

/** Returns why no message is sent. */
function silentText({ sent }: Visit, { mail, shown, isPast = false }: Review): string {
  if (!mail || sent.get('notify') !== 'on') return shown.total > 0 ? words.silent : words.silent_unseen;
  if (isPast) return words.past;
  if (shown.total === 0) return words.silent_unseen;
  if (!shown.canMail) return words.no_mail;
  return shown.hasSubscribers ? words.no_listener : words.no_subscriber;
}

/** Renders what visitors of a page will see. */
function Seen({ review: { view, picture, note } }: { review: Review }) {
  return (
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
      {note !== undefined && <p class="quiet">{note}</p>}
    </section>
  );
}

/** Renders the mail about it. */
function Mail({ review: { view, mail } }: { review: Review }) {
  if (!mail) return null;
  return (
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
  );
}

function Number({ value, text, children }: { value: number; text: string; children?: ComponentChildren }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>{value.toLocaleString('en')}</dd>
      {children}
    </div>
  );
}
