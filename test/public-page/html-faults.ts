import { HtmlValidate, StaticConfigLoader } from 'html-validate';

// Without a static loader, each call resolves the configuration again, which takes 25 ms.
const loader = new StaticConfigLoader({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:standard', 'html-validate:a11y'],
  rules: {
    'void-style': 'off', // preact writes <meta/>, markdown-it writes <hr>, and parsers read both alike
    'long-title': 'off', // a name can have 200 characters, and search engines shorten titles themselves
  },
});
const validator = new HtmlValidate(loader);

/** Returns the html-validate errors of an HTML document, with their positions. */
export function faultsOf(html: string): string[] {
  const { results } = validator.validateStringSync(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => {
      const near = (html.split('\n')[line - 1] ?? '').slice(Math.max(0, column - 40), column + 60);
      return `${ruleId}: ${message} near ${near}`;
    }),
  );
}
