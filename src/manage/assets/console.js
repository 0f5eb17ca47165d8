// Script of all screens of members, which also work without it. Shows texts as visitors see them while they are typed, keeps
// forms until they are saved, and sorts lists in place. The server writes all texts, and renders what is shown.

(() => {
  /** A pause in typing after which the text is shown, and the shortest time between two requests. */
  const PAUSE_MS = 400;
  const INTERVAL_MS = 1_000;
  /** Time without a request after one that has failed, so that the limit of requests is left to the forms. */
  const REST_MS = 30_000;

  /**
   * Returns the value of a field of a form.
   * @param {HTMLFormElement} form
   * @param {string} name
   */
  const valueOf = (form, name) => String(new FormData(form).get(name) ?? '');

  /**
   * Shows a field as the server renders it.
   * @param {HTMLElement} box
   */
  function preview(box) {
    const { preview: name = '', field = '' } = box.dataset;
    const input = document.getElementById(field);
    const shown = box.querySelector('[data-shown]');
    if (!(input instanceof HTMLTextAreaElement || input instanceof HTMLInputElement) || !input.form || !shown)
      return;
    const { form } = input;
    let request = new AbortController();
    let timer = 0;
    let next = 0;
    const show = async () => {
      next = Date.now() + INTERVAL_MS;
      const { signal } = request;
      try {
        const body = new URLSearchParams({ token: valueOf(form, 'token'), [name]: input.value });
        const response = await fetch('/manage/preview', { method: 'POST', body, signal });
        const html = await response.text();
        if (!response.ok) throw new Error(html);
        shown.innerHTML = html; // without scripts, because the public pages show the same
        for (const link of shown.querySelectorAll('a')) link.target = '_blank';
        box.hidden = shown.innerHTML === '';
      } catch {
        if (signal.aborted) return;
        box.hidden = true;
        next = Date.now() + REST_MS;
      }
    };
    const plan = () => {
      request.abort();
      request = new AbortController();
      clearTimeout(timer);
      if (input.value.trim() === '') box.hidden = true;
      else timer = setTimeout(show, Math.max(PAUSE_MS, next - Date.now()));
    };
    input.addEventListener('input', plan);
    if (box.hidden) plan();
  }

  // Forms are kept in the tab until the server confirms that they were saved, by a cookie with the key of the form.

  /** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */
  /** @typedef {Record<string, string | boolean>} Values */
  /** @typedef {{ action: string, name: string, key: string }} Sent the form that was sent last, and the name of what is kept of it */

  const PREFIX = 'manage:';
  /** Time of the last sign-out, for all tabs. */
  const OUT = `${PREFIX}out`;
  const own = `${PREFIX}${document.body.dataset['member']}:`;
  const here = location.pathname + location.search;

  /**
   * Uses the storage, which can be blocked or full. Then nothing is kept.
   * @template Value
   * @param {() => Value} use
   */
  function attempt(use) {
    try {
      return use();
    } catch {
      return undefined;
    }
  }

  /** @param {string} name */
  const stored = (name) =>
    attempt(() => JSON.parse(sessionStorage.getItem(own + name) ?? 'null')) ?? undefined;

  /**
   * @param {string} name
   * @param {object} [value] omitted: removes it
   */
  const store = (name, value) =>
    attempt(() =>
      value
        ? sessionStorage.setItem(own + name, JSON.stringify(value))
        : sessionStorage.removeItem(own + name),
    );

  const forget = () =>
    attempt(() => {
      for (const name of Object.keys(sessionStorage))
        if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
    });

  /** Hidden fields on which the meaning of the others depends. With the version, a later change by another member is a conflict. */
  const VERSIONS = new Set(['updated_at', 'time_zone']);
  const TYPES = new Set(['text', 'datetime-local', 'radio', 'checkbox', 'textarea']);

  /**
   * Returns the fields that are kept. Never passwords, tokens and files.
   * @param {HTMLFormElement} form
   */
  const fieldsOf = (form) =>
    [...form.elements].flatMap((one) =>
      (one instanceof HTMLTextAreaElement || one instanceof HTMLInputElement) &&
      (TYPES.has(one.type) || VERSIONS.has(one.name))
        ? [one]
        : [],
    );

  /** @param {Field} field */
  const isChoice = (field) => field instanceof HTMLInputElement && /^(radio|checkbox)$/.test(field.type);

  /** @param {Field} field */
  const idOf = (field) => (isChoice(field) ? `${field.name}=${field.value}` : field.name);

  /**
   * Returns the values of a form, or the values with which the server has rendered it.
   * @param {HTMLFormElement} form
   * @returns {Values}
   */
  const valuesOf = (form, isRendered = false) =>
    Object.fromEntries(
      fieldsOf(form).map((one) => [
        idOf(one),
        one instanceof HTMLInputElement && isChoice(one)
          ? one[isRendered ? 'defaultChecked' : 'checked']
          : one[isRendered ? 'defaultValue' : 'value'],
      ]),
    );

  /**
   * @param {HTMLFormElement} form
   * @param {Values} values
   */
  function fill(form, values) {
    for (const one of fieldsOf(form)) {
      const value = values[idOf(one)];
      if (typeof value === 'string') {
        if (one.value === value) continue;
        one.value = value;
        one.dispatchEvent(new Event('input', { bubbles: true }));
      } else if (value !== undefined && one instanceof HTMLInputElement) {
        if (one.checked !== value) one.closest('details')?.setAttribute('open', '');
        one.checked = value;
      }
    }
  }

  /**
   * Returns whether two forms have the same values, as far as both have a field.
   * @param {Values} one
   * @param {Values} other
   */
  const areSame = (one, other) =>
    Object.entries(one).every(([name, value]) => VERSIONS.has(name) || value === (other[name] ?? value));

  /** @type {Sent | undefined} */
  let sent = stored('sent');
  const isResult = sent?.action === location.pathname;
  if (sent?.key && document.cookie.split('; ').includes(`manage-done=${sent.key}`)) store(sent.name);
  if (!isResult && !location.pathname.startsWith('/manage/sign-in')) {
    store('sent');
    sent = undefined;
  }

  /** @type {Map<HTMLFormElement, string>} */
  const names = new Map();

  /**
   * Keeps the fields of a form.
   * @param {HTMLElement} notice that they are restored
   */
  function keep(notice) {
    const form = notice.closest('form');
    if (!form) return;
    const isAgain = isResult && sent?.action === form.getAttribute('action');
    const name = isAgain && sent ? sent.name : here;
    names.set(form, name);
    const rendered = valuesOf(form, true);
    const kept = stored(name);
    form.addEventListener('input', () => {
      const values = valuesOf(form);
      if (!isAgain && areSame(values, rendered)) store(name);
      else store(name, { at: Date.now(), values });
    });
    if (kept && kept.at <= Number(attempt(() => localStorage.getItem(OUT)))) store(name);
    else if (kept && !areSame(kept.values, rendered)) {
      fill(form, kept.values);
      store(name, kept);
      notice.hidden = false;
    }
    notice.querySelector('button')?.addEventListener('click', () => {
      fill(form, rendered);
      store(name);
      notice.hidden = true;
      fieldsOf(form)
        .find(({ type }) => type.startsWith('text'))
        ?.focus();
    });
  }

  document.addEventListener('submit', ({ target: form }) => {
    if (!(form instanceof HTMLFormElement)) return;
    const action = form.getAttribute('action') ?? '';
    if (action === '/manage/sign-out') {
      forget();
      attempt(() => localStorage.setItem(OUT, String(Date.now())));
    }
    const name = names.get(form) ?? (sent?.action === action ? sent.name : undefined);
    if (name) store('sent', { action, name, key: valueOf(form, 'key') });
  });
  addEventListener('storage', ({ key }) => {
    if (key === OUT) forget();
  });

  // Lists are sorted in place by the form that their buttons send, which the response replaces.

  const live = document.createElement('p');
  let queue = Promise.resolve();

  /**
   * @param {HTMLFormElement} form
   * @param {string} name
   * @param {string} id
   */
  const buttonOf = (form, name, id) =>
    [...form.querySelectorAll('button')].find((one) => one.name === name && one.value === id);

  /** @param {HTMLFormElement} form */
  const rowsOf = (form) => [...form.querySelectorAll('li')];

  /**
   * Moves a row by some places.
   * @param {string} name of the button, `up` or `down`
   * @param {string} id of the row
   * @param {number} places
   */
  async function move(name, id, places) {
    const form = document.querySelector('form[data-sorted]');
    if (!(form instanceof HTMLFormElement)) return;
    const by = form.querySelector('[name=by]');
    if (by instanceof HTMLInputElement) by.value = String(places);
    try {
      const fields = [...new FormData(form), [name, id]].map(([key, value]) => [key, String(value)]);
      const body = new URLSearchParams(fields);
      const response = await fetch(form.getAttribute('action') ?? '', { method: 'POST', body });
      const sentBack = new DOMParser().parseFromString(await response.text(), 'text/html');
      const next = sentBack.querySelector('form[data-sorted]');
      if (!response.redirected || !(next instanceof HTMLFormElement)) throw new Error(response.statusText);
      if (valueOf(next, 'page') !== valueOf(form, 'page')) return location.assign(response.url);
      const hasFocus = form.contains(document.activeElement);
      form.replaceWith(next);
      sort(next);
      for (const version of document.querySelectorAll('[name=updated_at]'))
        if (version instanceof HTMLInputElement) version.value = valueOf(next, 'updated_at');
      const [button, other] = [name, name === 'up' ? 'down' : 'up'].map((one) => buttonOf(next, one, id));
      if (hasFocus) (button?.disabled ? other : button)?.focus();
      const { sorted = '', start = '', total = '' } = next.dataset;
      const index = rowsOf(next).findIndex((one) => button && one.contains(button));
      const what = rowsOf(next)[index]?.querySelector('.what')?.textContent ?? '';
      live.textContent = sorted
        .replace('{at}', String(Number(start) + index + 1))
        .replace('{of}', total)
        .replace('{name}', () => what);
    } catch {
      form.requestSubmit(buttonOf(form, name, id)); // shows the reason
    }
  }

  /**
   * @param {string} name
   * @param {string} id
   */
  const enqueue = (name, id, places = 1) => (queue = queue.then(() => move(name, id, places)));

  /**
   * Drags a row by its handle, until it is dropped or the Escape key is pressed.
   * @param {HTMLFormElement} form
   * @param {HTMLLIElement} row
   * @param {HTMLElement} handle
   * @param {PointerEvent} start
   */
  function drag(form, row, handle, start) {
    const rows = rowsOf(form);
    const from = rows.indexOf(row);
    const middles = rows.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + scrollY + height / 2;
    });
    const controller = new AbortController();
    const { signal } = controller;
    let [to, y, frame] = [from, start.clientY, 0];
    const show = () => {
      const offset = y + scrollY - start.pageY;
      const middle = (middles[from] ?? 0) + offset;
      to = middles.filter((other, index) => index !== from && other < middle).length;
      rows.forEach((one, index) => {
        const isAbove = index > from && index <= to;
        const isBelow = index < from && index >= to;
        const shift = index === from ? offset : (Number(isBelow) - Number(isAbove)) * row.offsetHeight;
        one.style.transform = shift === 0 ? '' : `translateY(${shift}px)`;
      });
    };
    const scroll = () => {
      const speed = y < 64 ? -8 : y > innerHeight - 64 ? 8 : 0;
      if (speed !== 0) {
        scrollBy(0, speed);
        show();
      }
      frame = requestAnimationFrame(scroll);
    };
    const end = (isDropped = false) => {
      controller.abort();
      cancelAnimationFrame(frame);
      row.classList.remove('dragged');
      for (const one of rows) one.style.transform = '';
      if (!isDropped || to === from) return;
      row.parentNode?.insertBefore(row, rows[to > from ? to + 1 : to] ?? null);
      enqueue(to > from ? 'down' : 'up', row.querySelector('button')?.value ?? '', Math.abs(to - from));
    };
    start.preventDefault();
    handle.setPointerCapture(start.pointerId);
    row.classList.add('dragged');
    scroll();
    handle.addEventListener(
      'pointermove',
      (event) => {
        y = event.clientY;
        show();
      },
      { signal },
    );
    handle.addEventListener('pointerup', () => end(true), { signal });
    handle.addEventListener('pointercancel', () => end(), { signal });
    addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Escape') end();
      },
      { signal },
    );
  }

  /**
   * Makes a list sortable.
   * @param {HTMLElement} form
   */
  function sort(form) {
    if (!(form instanceof HTMLFormElement)) return;
    live.setAttribute('role', 'status');
    live.className = 'unseen';
    document.body.append(live);
    for (const row of rowsOf(form)) {
      const handle = document.createElement('span'); // the buttons do the same for keys and screen readers
      handle.className = 'handle';
      handle.setAttribute('aria-hidden', 'true');
      handle.addEventListener('pointerdown', (event) => {
        if (event.button === 0) drag(form, row, handle, event);
      });
      row.querySelector('.moves')?.prepend(handle);
    }
    form.addEventListener('click', (event) => {
      const button = event.target instanceof Element && event.target.closest('button');
      if (!button || !/^(up|down)$/.test(button.name)) return; // such as the button that removes a row
      event.preventDefault();
      enqueue(button.name, button.value);
    });
  }

  /**
   * Adds a color picker to a text field.
   * @param {HTMLElement} picker
   */
  function pick(picker) {
    const text = document.getElementById(picker.dataset['color'] ?? '');
    if (!(picker instanceof HTMLInputElement) || !(text instanceof HTMLInputElement)) return;
    const read = () => {
      const [, digits] = /^#?([0-9a-f]{6})$/i.exec(text.value.trim()) ?? [];
      if (digits) picker.value = `#${digits}`;
    };
    picker.hidden = false;
    read();
    text.addEventListener('input', read);
    picker.addEventListener('input', () => {
      text.value = picker.value;
      text.dispatchEvent(new Event('input', { bubbles: true }));
    });
  }

  /** @type {[string, (element: HTMLElement) => void][]} */
  const parts = [
    ['[data-preview]', preview],
    ['[data-sorted]', sort],
    ['[data-color]', pick],
    ['[data-draft]', keep], // after the previews, which show what it restores
  ];
  for (const [selector, enhance] of parts)
    for (const one of document.querySelectorAll(selector)) if (one instanceof HTMLElement) enhance(one);
})();
