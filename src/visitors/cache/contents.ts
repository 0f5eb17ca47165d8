import { readFileSync } from 'node:fs';
import { assetPath } from '../../platform/config/project-files.js';
import { encode } from '../../page-model/page-document.js';
import { renderNotFound, renderUnavailable } from '../../page-documents/components/message-page.js';
import { Content } from './content.js';

// Contents that are the same for all pages.

/**
 * Returns the 404 response. Private pages, unknown slugs and disabled parts get the same bytes.
 * @param home the path of the page of `HOME_PAGE`
 */
export function notFoundContent(home?: string): Content {
  return new Content(encode(renderNotFound(home)), { 'Cache-Control': 'public, max-age=10, s-maxage=10' });
}

/** 503 response if the database is unavailable and there is no saved copy. */
export const UNAVAILABLE = new Content(encode(renderUnavailable()), {
  'Cache-Control': 'no-store',
  'Retry-After': '1',
});

/** Script of the pages. */
export const SCRIPT = new Content(
  encode({
    type: 'text/javascript; charset=utf-8',
    body: readFileSync(assetPath('page-documents/assets/page.js'), 'utf8'),
  }),
  { 'Cache-Control': 'public, max-age=3600' },
);
