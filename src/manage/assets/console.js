// Script of all screens of members, which also work without it. Shows texts as visitors see them while they are typed. The server
// writes all texts, and renders what is shown.

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
        if (!response.ok) throw new Error(response.statusText);
        shown.innerHTML = await response.text(); // without scripts, because the public pages show the same
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

  for (const box of document.querySelectorAll('[data-preview]')) if (box instanceof HTMLElement) preview(box);
})();
