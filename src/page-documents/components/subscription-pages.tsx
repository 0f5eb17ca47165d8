import type { ComponentChildren } from 'preact';
import type { PageHead, SubscribePart } from '../../page-model/page-data.js';
import type { PageDocument } from '../../page-model/page-document.js';
import type { View } from '../../page-model/view.js';
import type { Words } from '../../page-model/languages/en/page.js';
import { BackLink } from './headline.js';
import { renderMessage, renderPage } from './html-page.js';
import { OutsideLink } from './outside-link.js';
import { Panel, type PanelIcon } from './panel.js';
import {
  ChoiceFields,
  ErrorSummary,
  type FormErrors,
  type FormValues,
  type Offers,
} from './subscription-fields.js';

// Pages behind the links in mail. Their forms have no `action`, so they are sent to the link itself.

/** Renders a page about a subscription. */
function renderAbout(
  { page }: SubscribePart,
  view: View,
  icon: PanelIcon,
  title: string,
  children: ComponentChildren,
  isWide = false,
): PageDocument {
  return renderPage({
    page,
    view,
    title,
    isForm: true,
    children: (
      <Panel
        icon={icon}
        title={title}
        isWide={isWide}
        end={page.is_public && <Ways page={page} view={view} />}
      >
        {children}
      </Panel>
    ),
  });
}

/** Renders the way back, and whom to ask. */
export function Ways({ page: { branding }, view }: { page: PageHead; view: View }) {
  return (
    <>
      <BackLink view={view} />
      {branding.support_url !== null && (
        <p>
          <OutsideLink url={branding.support_url}>{view.words.support}</OutsideLink>
        </p>
      )}
    </>
  );
}

/** Renders a page with a text, such as the response to a form that was sent. */
export function renderSubscriptionMessage(
  part: SubscribePart,
  view: View,
  title: string,
  text: string,
  icon: PanelIcon = 'problem',
): PageDocument {
  return renderAbout(part, view, icon, title, <p>{text}</p>);
}

/** Renders the button that confirms a subscription. */
export function renderConfirm(part: SubscribePart, view: View, email: string): PageDocument {
  const { confirm, confirm_text } = view.words.subscription;
  return renderAbout(
    part,
    view,
    'mail',
    confirm,
    <>
      <Address text={confirm_text} email={email} />
      <Send text={confirm} />
    </>,
  );
}

/**
 * Renders the response to a confirmation.
 * @param manage the path of the page on which the subscription is changed
 */
export function renderConfirmed(
  part: SubscribePart,
  view: View,
  email: string,
  manage: string,
): PageDocument {
  const { confirmed, confirmed_text, manage_link } = view.words.subscription;
  return renderAbout(
    part,
    view,
    'done',
    confirmed,
    <>
      <Address text={confirmed_text} email={email} />
      <p>
        <a class="button" href={manage}>
          {manage_link}
        </a>
      </p>
    </>,
  );
}

/** A subscription that its owner changes. */
export interface Managed {
  email: string;
  values: FormValues;
  offers: Offers;
  errors: FormErrors;
  /** Whether the changes have been saved. */
  isSaved: boolean;
  /** Path of the page that ends it. */
  unsubscribe: string;
}

/** Renders the form that changes or ends a subscription. */
export function renderManage(part: SubscribePart, view: View, managed: Managed): PageDocument {
  const { email, values, offers, errors, isSaved, unsubscribe } = managed;
  const { subscription } = view.words;
  return renderAbout(
    part,
    view,
    'bell',
    subscription.manage,
    <>
      {isSaved && (
        <p class="notice" role="status">
          {subscription.saved}
        </p>
      )}
      <Address text={subscription.confirmed_text} email={email} />
      <form class="form" method="post" novalidate>
        <ErrorSummary view={view} errors={errors} />
        <ChoiceFields view={view} sections={part.sections} values={values} errors={errors} offers={offers} />
        <p>
          <button class="button" type="submit">
            {subscription.save}
          </button>
        </p>
      </form>
      <form method="post" action={unsubscribe}>
        <button class="button plain" type="submit">
          {subscription.unsubscribe}
        </button>
      </form>
    </>,
    true,
  );
}

/** Renders the button that ends a subscription. */
export function renderUnsubscribe(part: SubscribePart, view: View, email: string): PageDocument {
  const { subscription } = view.words;
  return renderAbout(
    part,
    view,
    'mail',
    subscription.unsubscribe,
    <Unsubscribe words={view.words} email={email} />,
  );
}

/** Renders the same if the page has been deleted. */
export function renderUnsubscribeDeleted(words: Words, email: string): PageDocument {
  const { unsubscribe } = words.subscription;
  return renderPlain(words, 'mail', unsubscribe, <Unsubscribe words={words} email={email} />);
}

/** Renders the response to the end of a subscription to a page that has been deleted. */
export function renderUnsubscribedDeleted(words: Words): PageDocument {
  const { unsubscribed, unsubscribed_text } = words.subscription;
  return renderPlain(words, 'done', unsubscribed, <p>{unsubscribed_text}</p>);
}

function renderPlain(
  words: Words,
  icon: PanelIcon,
  title: string,
  children: ComponentChildren,
): PageDocument {
  return renderMessage(
    words,
    title,
    <Panel icon={icon} title={title}>
      {children}
    </Panel>,
  );
}

function Unsubscribe({ words, email }: { words: Words; email: string }) {
  const { unsubscribe, unsubscribe_text } = words.subscription;
  return (
    <>
      <Address text={unsubscribe_text} email={email} />
      <Send text={unsubscribe} />
    </>
  );
}

function Address({ text, email }: { text: string; email: string }) {
  return (
    <p>
      {text} <bdi class="address">{email}</bdi>
    </p>
  );
}

function Send({ text }: { text: string }) {
  return (
    <form class="form" method="post">
      <p>
        <button class="button" type="submit">
          {text}
        </button>
      </p>
    </form>
  );
}
