// The script of all pages, which work without it. It shows times in the zone of the visitor, and loads the page again once a
// minute, unless the tab is hidden. It needs no other host, and stores nothing.

const REFRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** A page that is older than this says so. */
const OUT_OF_DATE_MS = 5 * 60_000;

const localTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** The version of the page that is shown, once it is known. */
let etag = '';
/** The time of the server minus that of this machine, in milliseconds. */
let clockOffset = 0;
let lastRefresh = Date.now();
let isRefreshing = false;

/**
 * Shows the times in a document in the zone of the visitor; UTC is in their titles.
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
 * Changes an element into another one with the same tag, and leaves alone what is the same in both: no jump, the focus stays,
 * what is folded stays folded.
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
 * The children of an element by what identifies them: tag and id, label or first link.
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
  // The visitor opens and closes details.
  const isKept = (/** @type {string} */ name) => current instanceof HTMLDetailsElement && name === 'open';
  for (const name of current.getAttributeNames())
    if (!next.hasAttribute(name) && !isKept(name)) current.removeAttribute(name);
  for (const { name, value } of next.attributes)
    if (current.getAttribute(name) !== value && !isKept(name)) current.setAttribute(name, value);
}

/**
 * Shows a newer version of the page. Announces its headline, if that has changed, and nothing else.
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

/** Says that the page is out of date, if it is: the server does not respond, or has only an old copy. */
function checkAge() {
  const updated = document.querySelector('.updated time')?.getAttribute('datetime');
  const notice = document.getElementById('out-of-date');
  if (!updated || !notice) return;
  notice.hidden = Date.now() + clockOffset - Date.parse(updated) <= OUT_OF_DATE_MS;
}

/** Loads the page again and shows it, if it has changed. */
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
    // The next refresh tries again. Until then the page says how old it is.
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
