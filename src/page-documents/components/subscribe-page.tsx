import type { SubscribePart } from '../../page-model/page-data.js';
import type { PageDocument } from '../../page-model/page-document.js';
import type { View } from '../../page-model/view.js';
import { Feeds } from './feeds.js';
import { renderPage } from './html-page.js';
import { Panel } from './panel.js';
import {
  ChoiceFields,
  EmailField,
  EMPTY_FORM,
  ErrorSummary,
  type FormErrors,
  type FormValues,
} from './subscription-fields.js';
import { Ways } from './subscription-pages.js';

/**
 * Renders the form to subscribe by mail, and the feeds. It works without the script.
 * @param errors the wrong fields of a form that was sent
 */
export function renderSubscribe(
  { page, sections }: SubscribePart,
  view: View,
  values: FormValues = EMPTY_FORM,
  errors: FormErrors = {},
): PageDocument {
  const { words, links } = view;
  return renderPage({
    page,
    view,
    part: { kind: 'subscribe' },
    title: words.subscribe_title,
    isForm: true,
    children: (
      <Panel icon="bell" title={words.subscribe_title} isWide end={<Ways page={page} view={view} />}>
        {page.subscribing === 'mail' && (
          <form class="form" method="post" action={links.to({ kind: 'subscribe' })} novalidate>
            <ErrorSummary view={view} errors={errors} />
            <EmailField view={view} values={values} errors={errors} />
            <ChoiceFields view={view} sections={sections} values={values} errors={errors} />
            <p>
              <button class="button" type="submit" disabled={!page.is_public && !links.isAdmitted}>
                {words.subscribe}
              </button>
            </p>
          </form>
        )}
        {page.rss_enabled && (
          <section class="feeds" aria-labelledby="feeds">
            <h2 id="feeds">{words.subscription.by_feed}</h2>
            <Feeds view={view} />
          </section>
        )}
      </Panel>
    ),
  });
}
