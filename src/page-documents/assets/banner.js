// Banner of a status page, version 1, for the company's own sites. Shows the headline of the page while something is wrong. The text
// comes from the part `embed`, once a minute while the tab is visible. Does not change: sites load it with its hash (`integrity`).

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { src, dataset } = script;
  const url = new URL('embed', src);
  if (dataset.lang) url.searchParams.set('lang', dataset.lang);
  const banner = document.createElement('div');
  banner.setAttribute('role', 'status');
  let shown = '';

  /** @param {HTMLAnchorElement | null} found the link of the page, if something is wrong */
  function show(found) {
    const next = found ? `${found.href} ${found.textContent} ${found.dataset.color}` : '';
    if (next === shown) return;
    shown = next;
    banner.replaceChildren();
    if (!found) return;
    const link = document.createElement('a');
    link.href = found.href;
    link.textContent = found.textContent;
    link.lang = found.lang;
    link.dir = 'auto';
    // Properties, because the policy of the site can forbid style attributes.
    link.style.cssText = `display:block;padding:12px 16px;border-block-end:4px solid ${found.dataset.color};background:#fff;color:#15171a;font:600 16px/1.5 system-ui,sans-serif;text-decoration:underline`;
    banner.append(link);
  }

  async function refresh() {
    if (document.hidden) return;
    try {
      const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(20_000) });
      // Without the styles, because the policy of the site also applies to the parsed document.
      const html = response.ok ? (await response.text()).replace(/<style>.*?<\/style>/s, '') : '';
      show(new DOMParser().parseFromString(html, 'text/html').querySelector('a[data-color]'));
    } catch {
      // The banner stays as it is. The next refresh tries again.
    }
  }

  function start() {
    const place = dataset.target ? document.querySelector(dataset.target) : null;
    (place ?? document.body).prepend(banner);
    void refresh();
    setInterval(refresh, 60_000);
    document.addEventListener('visibilitychange', refresh);
  }
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
})();
