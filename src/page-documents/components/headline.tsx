import type { ComponentChildren } from 'preact';
import type { PageHead } from '../../page-model/page-data.js';
import type { View } from '../../page-model/view.js';
import type { Sign } from '../../page-model/sign.js';
import { Shape } from './status.js';
import { STATUS_CLASS } from './status-shapes.js';
import { Time } from './time.js';

/**
 * Renders the first lines of a document on the color of their sign while something is wrong or maintenance is in progress. Missing
 * data alone is no reason for alarm.
 */
export function Alert({ sign, children }: { sign: Sign; children: ComponentChildren }) {
  if (sign === 'operational' || sign === 'unknown') return <>{children}</>;
  return <div class={`alert ${STATUS_CLASS[sign]}`}>{children}</div>;
}

/** Renders the headline: the sign of the status, and its text. */
export function Headline({ sign, text }: { sign: Sign; text: string }) {
  return (
    <div class="headline">
      <Shape status={sign} />
      <h1>{text}</h1>
    </div>
  );
}

/**
 * Renders the time of the last update, and a link to reload the page, which works without the script. The script adds the
 * page's age, because without it this would stay "now".
 */
export function LastUpdated({ page, href, view }: { page: PageHead; href: string; view: View }) {
  return (
    <p class="updated">
      <span>
        <Time at={page.as_of} view={view} text={view.words.last_updated} />{' '}
        <time dateTime={page.as_of.toISOString()} data-relative />
      </span>
      <a href={href}>{view.words.reload}</a>
    </p>
  );
}

/** Renders the link from a part of the page to the overview. */
export function BackLink({ view }: { view: View }) {
  return (
    <p class="back">
      <a href={view.links.to({ kind: 'overview' })}>
        <span aria-hidden="true">{view.words.direction === 'rtl' ? '→' : '←'} </span>
        {view.words.overview}
      </a>
    </p>
  );
}
