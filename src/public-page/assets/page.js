// Script of all pages, which also work without it. Shows times in the visitor's time zone, and reloads the page once per minute,
// unless the tab is hidden. Connects to no other host, and stores nothing.

const REFRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** Age in milliseconds above which a page shows that it is out of date. */
const OUT_OF_DATE_MS = 5 * 60_000;

/** Version of the shown page, once it is known. */
let etag = '';
/** Difference of the server's clock to the local clock, in milliseconds. */
let clockOffset = 0;
let lastRefresh = Date.now();
let isRefreshing = false;

// Times have the formats of `documents/dates.ts`, in the language of the page.

const language = document.documentElement.lang;
const locale = language === 'en' ? 'en-GB' : language;
/** @type {Intl.DateTimeFormatOptions} */
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
/** @type {Intl.DateTimeFormatOptions} */
const dayAndClock = { day: 'numeric', month: 'short', ...clock };
const clockFormat = new Intl.DateTimeFormat(locale, clock);
const format = new Intl.DateTimeFormat(locale, dayAndClock);
const yearFormat = new Intl.DateTimeFormat(locale, { year: 'numeric', ...dayAndClock });
const zoneFormats = (language === 'en' ? ['en-US', 'en-GB', 'en-AU', 'en-IN'] : [locale]).map(
  (one) => new Intl.DateTimeFormat(one, { timeZoneName: 'short' }),
);

/**
 * Returns the short name of the visitor's time zone.
 * @param {Date} date
 */
function zoneAt(date) {
  const names = zoneFormats.map(
    (one) => one.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  return names.find((name) => !/\d/.test(name)) ?? names[0];
}

/** @param {Date} date */
const withoutZone = (date) =>
  (date.getFullYear() === new Date().getFullYear() ? format : yearFormat).format(date);

/** @param {Date} date */
const withZone = (date) => `${withoutZone(date)} ${zoneAt(date)}`;

/** @param {string} text */
const unbroken = (text) => text.replace(/ /g, '\u00a0');

/**
 * @param {Date} from
 * @param {Date} to
 */
function period(from, to) {
  if (zoneAt(from) !== zoneAt(to)) return `${unbroken(withZone(from))} – ${unbroken(withZone(to))}`;
  if (from.toDateString() !== to.toDateString())
    return `${unbroken(withoutZone(from))} – ${unbroken(withZone(to))}`;
  return unbroken(`${withoutZone(from)}–${clockFormat.format(to)} ${zoneAt(to)}`);
}

/**
 * Shows the times in a document in the visitor's time zone, with the time in the page's time zone in their titles.
 * @param {ParentNode} root
 */
function localize(root) {
  for (const element of root.querySelectorAll('time[data-local]')) {
    const from = new Date(element.getAttribute('datetime') ?? '');
    const to = element.getAttribute('data-to');
    const text = to ? period(from, new Date(to)) : withZone(from);
    element.setAttribute('title', element.textContent);
    element.textContent = (element.getAttribute('data-text') ?? '{time}').replace('{time}', text);
  }
}

/** Updates relative times. They are right in a new page, so that the clock of the device is not needed for it. */
function updateRelativeTimes() {
  const now = Date.now() + clockOffset;
  for (const element of document.querySelectorAll('time[data-relative]')) {
    const minutes = Math.trunc((Date.parse(element.getAttribute('datetime') ?? '') - now) / 60_000);
    const size = Math.abs(minutes) < 60 ? 1 : Math.abs(minutes) < 1440 ? 60 : 1440;
    const unit = size === 1 ? 'minute' : size === 60 ? 'hour' : 'day';
    const isNow = minutes === 0;
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: isNow ? 'auto' : 'always' });
    const text = relative.format(Math.trunc(minutes / size), isNow ? 'second' : unit);
    if (element.textContent !== text) element.textContent = text;
  }
}

/**
 * Changes an element into another one with the same tag. Keeps equal parts unchanged, so that the scroll position, the focus and
 * collapsed sections stay the same.
 * @param {Element} current
 * @param {Element} next
 */
function morph(current, next) {
  if (current.isEqualNode(next)) return;
  copyAttributes(current, next);
  const [from, to] = [byKey(current), byKey(next)];
  for (const [key, node] of from) if (!to.has(key)) node.remove();
  let place = current.firstChild;
  for (const [key, node] of to) {
    const kept = from.get(key);
    if (!kept) current.insertBefore(node, place);
    else if (kept === place) place = place.nextSibling;
    else current.insertBefore(kept, place);
    if (kept instanceof Element && node instanceof Element) morph(kept, node);
    else if (kept && kept.nodeValue !== node.nodeValue) kept.nodeValue = node.nodeValue;
  }
}

/**
 * Returns the children of an element by their identity: tag and ID, label or first link.
 * @param {Element} parent
 */
function byKey(parent) {
  /** @type {Map<string, ChildNode>} */
  const children = new Map();
  for (const node of parent.childNodes) {
    let key = node.nodeName;
    if (node instanceof Element) {
      const label =
        node.id || node.getAttribute('aria-labelledby') || node.querySelector('a')?.getAttribute('href');
      key += `#${label ?? ''}`;
    }
    while (children.has(key)) key += '+';
    children.set(key, node);
  }
  return children;
}

/**
 * @param {Element} current
 * @param {Element} next
 */
function copyAttributes(current, next) {
  // Visitors open and close details.
  const isKept = (/** @type {string} */ name) => current instanceof HTMLDetailsElement && name === 'open';
  for (const name of current.getAttributeNames())
    if (!next.hasAttribute(name) && !isKept(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (current.getAttribute(name) !== value && !isKept(name)) current.setAttribute(name, value);
}

/**
 * Shows a newer version of the page. Announces only the headline to screen readers, if it has changed.
 * @param {Document} next
 */
function show(next) {
  const [main, nextMain] = [document.querySelector('main'), next.querySelector('main')];
  if (!main || !nextMain) return;
  const headline = document.querySelector('h1')?.textContent;
  localize(nextMain);
  const notice = nextMain.querySelector('#out-of-date');
  if (document.getElementById('out-of-date')?.hidden === false) notice?.removeAttribute('hidden');
  morph(main, document.adoptNode(nextMain));
  document.title = next.title;
  const [icon, nextIcon] = [document, next].map((one) => one.querySelector('link[rel=icon]'));
  if (icon && nextIcon && !icon.isEqualNode(nextIcon)) icon.replaceWith(document.adoptNode(nextIcon));
  const nextHeadline = document.querySelector('h1')?.textContent ?? '';
  const news = document.getElementById('news');
  if (news && nextHeadline !== headline) news.textContent = nextHeadline;
}

/** Shows whether the page is out of date, because the server does not respond, or serves a stale copy. */
function checkAge() {
  const updated = document.querySelector('.updated time')?.getAttribute('datetime');
  const notice = document.getElementById('out-of-date');
  if (!updated || !notice) return;
  notice.hidden = Date.now() + clockOffset - Date.parse(updated) <= OUT_OF_DATE_MS;
  if (!notice.hidden) updateRelativeTimes();
}

/** Reloads the page and shows it if it has changed. */
async function refresh() {
  if (isRefreshing || document.hidden) return;
  isRefreshing = true;
  lastRefresh = Date.now();
  try {
    const response = await fetch(location.href, {
      cache: 'no-cache',
      headers: etag ? { 'If-None-Match': etag } : {},
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(date)) clockOffset = date - Date.now();
    if (response.ok) {
      const html = await response.text();
      show(new DOMParser().parseFromString(html, 'text/html'));
      etag = response.headers.get('ETag') ?? '';
    }
  } catch {
    // The next refresh tries again. Until then, the page shows its age.
  } finally {
    isRefreshing = false;
    checkAge();
    updateRelativeTimes();
  }
}

localize(document);
checkAge();
setInterval(refresh, REFRESH_MS);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - lastRefresh >= REFRESH_MS) void refresh();
});
