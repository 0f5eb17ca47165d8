// Script of all pages, which also work without it. Adds times in the visitor's time zone and a card for each day of the bars, and
// refreshes the page once per minute, unless the tab is hidden. Connects to no other host, and stores nothing.

const REFRESH_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** Age in milliseconds above which a page shows that it is out of date. */
const OUT_OF_DATE_MS = 5 * 60_000;

const STYLE = /<style>(.*?)<\/style>/s;

/** Version of the shown page, once it is known. */
let etag = '';
/** Difference of the server's clock to the local clock, in milliseconds. */
let clockOffset = 0;
let lastRefresh = Date.now();
let isRefreshing = false;
/** Whether the newest version has other styles. The Content-Security-Policy of this document allows only its own. */
let needsReload = false;

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
  const names = [];
  for (const one of zoneFormats) {
    const name = one.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (!/\d/.test(name)) return name;
    names.push(name);
  }
  return names[0];
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
 * Adds the times in the visitor's time zone as titles. The document stays in the time zone of the page, so that it has only one.
 * @param {ParentNode} root
 */
function localize(root) {
  for (const element of root.querySelectorAll('time[data-local]')) {
    const from = new Date(element.getAttribute('datetime') ?? '');
    const to = element.getAttribute('data-to');
    const text = to ? period(from, new Date(to)) : withZone(from);
    element.setAttribute('title', (element.getAttribute('data-text') ?? '{time}').replace('{time}', text));
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
  for (const [key, node] of from) if (!to.has(key) && node !== card) node.remove();
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
  prepareBars(nextMain);
  const notice = /** @type {HTMLElement | null} */ (nextMain.querySelector('#out-of-date'));
  if (notice && document.getElementById('out-of-date')?.hidden === false) setNotice(notice, true);
  morph(main, document.adoptNode(nextMain));
  if (!shownBars?.isConnected) closeDay();
  else if (!card.contains(document.activeElement)) showDay(shownBars, shownDay);
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
  setNotice(notice, Date.now() + clockOffset - Date.parse(updated) > OUT_OF_DATE_MS);
  if (!notice.hidden) updateRelativeTimes();
}

/**
 * Shows or hides the notice that the page is out of date.
 * @param {HTMLElement} notice
 * @param {boolean} isShown
 */
function setNotice(notice, isShown) {
  notice.hidden = !isShown;
  notice.textContent = isShown ? (notice.dataset.text ?? '') : '';
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
    updateRelativeTimes();
  }
}

// Card of a day: what the bars of a monitor show of it, from the table of its days. Appears with the pointer, a tap, or the
// keyboard. Bars become sliders, because screen readers leave the arrow keys to sliders, and read their text after each change.

const CARD_MS = 300;
const dayFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
/** @type {Intl.DateTimeFormat | undefined} */
let zoneFormat;
/**
 * Returns a day in UTC in the time zone of the page.
 * @param {number} time its midnight
 * @param {string} timeZone empty: UTC
 */
function dayIn(time, timeZone) {
  if (!timeZone) return dayFormat.format(time);
  zoneFormat ??= new Intl.DateTimeFormat(locale, { ...dayAndClock, timeZone, timeZoneName: 'short' });
  return zoneFormat.formatRange(time, time + 86_400_000);
}

const card = document.createElement('div');
card.className = 'day';
/** @type {Element | undefined} */
let shownBars;
let shownDay = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let closing;

/** @param {Element} bars */
const dataOf = (bars) => {
  const data = bars.closest('[data-days]');
  return (/** @type {string} */ name) => data?.getAttribute(`data-${name}`) ?? '';
};

/** @param {ParentNode} root */
function prepareBars(root) {
  for (const bars of root.querySelectorAll('svg.bars')) {
    const days = dataOf(bars)('days');
    const attributes = { role: 'slider', tabindex: '0', 'aria-valuemin': '1', 'aria-valuemax': days };
    for (const [name, value] of Object.entries(attributes)) bars.setAttribute(name, value);
    setDay(bars, Number(days));
  }
}

/**
 * @param {Element} bars
 * @param {number} day from 1 on
 */
function setDay(bars, day) {
  const { date, content } = contentOf(bars, day);
  bars.setAttribute('aria-valuenow', `${day}`);
  bars.setAttribute('aria-valuetext', `${date}: ${content.textContent}`);
}

/**
 * Returns the row of the table of a monitor's days for a date, and its last one.
 * @param {Element} bars
 * @param {string} iso
 */
function rowOf(bars, iso) {
  const rows = [...(bars.closest('li') ?? document).querySelectorAll('tr[data-day]')];
  return {
    row: rows.find((one) => {
      const from = one.getAttribute('data-day') ?? '';
      return from <= iso && iso <= (one.getAttribute('data-to') ?? from);
    }),
    oldest: rows.at(-1)?.getAttribute('data-day') ?? '',
  };
}

/**
 * @param {Element} bars
 * @param {number} day from 1 on
 */
function contentOf(bars, day) {
  const data = dataOf(bars);
  const time = Date.parse(data('today')) - (Number(data('days')) - day) * 86_400_000;
  const iso = new Date(time).toISOString().slice(0, 10);
  const { row, oldest } = rowOf(bars, iso);
  const content = document.createElement('div');
  // A shortened table ends with a link to all days.
  const more = bars.closest('li')?.querySelector('tfoot a');
  if (row) content.append(...(row.lastElementChild?.cloneNode(true).childNodes ?? []));
  else if (day <= Number(bars.getAttribute('data-before'))) content.append(data('before'));
  else if (more && iso < oldest) content.append(more.cloneNode(true));
  else content.append(data('operational'));
  return { date: dayIn(time, data('zone')), content };
}

/**
 * @param {Element} bars
 * @param {number} day from 1 on
 */
function showDay(bars, day) {
  const row = bars.parentElement;
  if (!row) return;
  keepCard();
  shownDay = day;
  setDay(bars, day);
  const { date, content } = contentOf(bars, day);
  const title = document.createElement('strong');
  title.textContent = date;
  card.replaceChildren(title, content);
  if (shownBars !== bars) bars.after(card);
  shownBars = bars;
  // From the start of the line, which is the right end in right-to-left languages.
  const [box, drawing] = [row.getBoundingClientRect(), bars.getBoundingClientRect()];
  const before = isMirrored(bars) ? box.right - drawing.right : drawing.left - box.left;
  const x = before + (drawing.width * (day - 0.5)) / Number(dataOf(bars)('days'));
  const start = Math.max(0, Math.min(x - card.offsetWidth / 2, box.width - card.offsetWidth));
  card.style.setProperty('--start', `${start}px`);
  card.style.setProperty('--day', `${x - start - 1}px`);
  card.style.setProperty('--top', `${drawing.bottom - box.top + 8}px`);
}

function keepCard() {
  clearTimeout(closing);
  closing = undefined;
}

function closeDay() {
  keepCard();
  card.remove();
  shownBars = undefined;
}

function closeSoon() {
  closing ??= setTimeout(closeDay, CARD_MS);
}

/** @param {Element} bars */
const isMirrored = (bars) => getComputedStyle(bars).direction === 'rtl';

/** @param {Element} bars */
const dayOf = (bars) => Number(bars.getAttribute('aria-valuenow'));

/** @param {EventTarget | null} target */
const barsIn = (target) => (target instanceof Element ? target.closest('svg.bars') : null);

/**
 * Returns the day at a position. A finger also finds a day with problems that is a few days away.
 * @param {Element} bars
 * @param {MouseEvent} event
 */
function dayAt(bars, event) {
  const { left, width } = bars.getBoundingClientRect();
  const days = Number(dataOf(bars)('days'));
  const share = (event.clientX - left) / width;
  const day = Math.max(1, Math.min(days, Math.ceil((isMirrored(bars) ? 1 - share : share) * days)));
  if (!(event instanceof PointerEvent) || event.pointerType === 'mouse') return day;
  const reach = Math.ceil((12 / width) * days);
  for (let distance = 0; distance <= reach; distance++)
    for (const near of [day - distance, day + distance]) {
      const time = Date.parse(dataOf(bars)('today')) - (days - near) * 86_400_000;
      if (near >= 1 && near <= days && rowOf(bars, new Date(time).toISOString().slice(0, 10)).row)
        return near;
    }
  return day;
}

document.addEventListener('pointermove', (event) => {
  if (event.pointerType !== 'mouse') return;
  const bars = barsIn(event.target);
  if (bars) showDay(bars, dayAt(bars, event));
  else if (event.target instanceof Node && card.contains(event.target)) keepCard();
  else if (shownBars && shownBars !== document.activeElement) closeSoon();
});
document.addEventListener('click', (event) => {
  const bars = barsIn(event.target);
  if (bars) showDay(bars, dayAt(bars, event));
  else if (event.target instanceof Node && !card.contains(event.target)) closeDay();
});
document.addEventListener('focusin', ({ target }) => {
  const bars = barsIn(target);
  if (bars?.matches(':focus-visible')) showDay(bars, bars === shownBars ? shownDay : dayOf(bars));
  else if (target instanceof Node && !bars && !card.contains(target)) closeDay();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeDay();
  const bars = barsIn(event.target);
  if (!bars || event.altKey || event.ctrlKey || event.metaKey) return;
  const days = Number(dataOf(bars)('days'));
  const forward = isMirrored(bars) ? -1 : 1;
  const day = dayOf(bars);
  const next = {
    ArrowRight: day + forward,
    ArrowLeft: day - forward,
    ArrowUp: day + 1,
    ArrowDown: day - 1,
    Home: 1,
    End: days,
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  showDay(bars, Math.max(1, Math.min(days, next)));
});

localize(document);
prepareBars(document);
checkAge();
setInterval(refresh, REFRESH_MS);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && Date.now() - lastRefresh >= REFRESH_MS) void refresh();
});
