// Script of all pages, which also work without it. Shows times in the visitor's time zone, and refreshes the page once per minute,
// unless the tab is hidden. Connects to no other host, and stores nothing.

const REFRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** Age in milliseconds above which a page shows that it is out of date. */
const OUT_OF_DATE_MS = 5 * 60_000;

const STYLE = /<style>(.*?)<\/style>/s;

const localTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Version of the shown page, once it is known. */
let etag = '';
/** Difference of the server's clock to the local clock, in milliseconds. */
let clockOffset = 0;
let lastRefresh = Date.now();
let isRefreshing = false;
/** Whether the newest version has other styles. The Content-Security-Policy of this document allows only its own. */
let needsReload = false;

/**
 * Shows the times in a document in the visitor's time zone, with UTC in their titles.
 * @param {ParentNode} root
 */
function localize(root) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    const date = new Date(time.getAttribute('datetime') ?? '');
    if (Number.isNaN(date.getTime())) continue;
    time.setAttribute('title', time.textContent);
    time.textContent = localTime.format(date);
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

/** Returns whether a reload would disturb the visitor, who has focused, selected or opened something. */
function isInUse() {
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
  const hasSelection = getSelection()?.isCollapsed === false;
  return hasFocus || hasSelection || document.querySelector('details[open]:not(.section)') !== null;
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
  for (const selector of ['header', 'footer']) {
    const [part, nextPart] = [document, next].map((one) => one.querySelector(`body > ${selector}`));
    if (part && nextPart) morph(part, document.adoptNode(nextPart));
  }
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
      needsReload = STYLE.exec(html)?.[1] !== document.querySelector('style')?.textContent;
      // Without the styles, because the policy also applies to the parsed document.
      show(new DOMParser().parseFromString(html.replace(STYLE, ''), 'text/html'));
      etag = response.headers.get('ETag') ?? '';
    }
    if (needsReload && !isInUse()) location.reload();
  } catch {
    // The next refresh tries again. Until then, the page shows its age.
  } finally {
    isRefreshing = false;
    checkAge();
  }
}

localize(document);
checkAge();
setInterval(refresh, REFRESH_MS);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - lastRefresh >= REFRESH_MS) void refresh();
});
