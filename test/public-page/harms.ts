import { HtmlElement, Parser, StaticConfigLoader } from 'html-validate';

/** Markup that runs or loads something if a page does not escape it. */
export const HOSTILE =
  '**strong** <script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) ![b](https://evil.example/b.png)';

/** Elements that load or run something, or can cover the page. */
export const HARMFUL = /^(script|img|iframe|object|embed|base|form|input|frame|foreignobject|video|audio)$/i;
/** The scripts of all pages, of the console and of passkeys, page images embedded as data URLs, and uploaded pictures. */
const OWN =
  /^(\/status\/assets\/[\w.-]+|\/manage\/(?:console|passkeys)-[0-9a-f]{12}\.js|data:image\/svg\+xml[^<>]*|\/status\/[a-z0-9-]+\/logo(-dark)?-[0-9a-f]{16}\.svg|\/manage\/pages\/[0-9a-f-]{36}\/pictures\/[a-z_]+(\?[\w=.-]+)?)$/;
const SAFE_LINK = /^(https?:|mailto:|webcal:|\/|#|\?|data:image\/svg\+xml)/;

/** Returns the elements and attributes that could run or load something, as an HTML parser reads them. */
export async function harmsIn(html: string): Promise<string[]> {
  const config = await new StaticConfigLoader({ root: true, elements: ['html5'] }).getConfigFor('page.html');
  return new Parser(config).parseHtml(html).getElementsByTagName('*').flatMap(harmsOf);
}

function harmsOf(element: HtmlElement): string[] {
  const attributes = element.attributes.map(({ key, value }): [string, string] => [key, String(value ?? '')]);
  const bad = attributes.filter(
    ([name, value]) =>
      /^(on|srcdoc$|style$)/i.test(name) || (/^(href|src|action)$/i.test(name) && !SAFE_LINK.test(value)),
  );
  const source = attributes.find(([name]) => name === 'src')?.[1] ?? '';
  const isHarmful = HARMFUL.test(element.tagName) && !OWN.test(source);
  return [...(isHarmful ? [`<${element.tagName}>`] : []), ...bad.map((one) => one.join('='))];
}
