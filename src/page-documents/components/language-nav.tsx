import { type Language, LANGUAGES } from '../../branding/languages.js';
import type { PageHead } from '../../page-model/page-data.js';
import type { Links } from '../../page-model/links.js';
import type { Part } from '../../page-model/parts.js';
import type { View } from '../../page-model/view.js';

/** Name of each language in the language itself. */
const NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  zh: '简体中文',
};

/** Returns the links of the document in each language. Empty for an export, which has only the language of the page. */
export function linksByLanguage(page: PageHead, { links }: View): [Language, Links][] {
  const { in: linksIn } = links;
  if (!linksIn) return [];
  return LANGUAGES.map((one) => [one, linksIn(one === page.branding.language ? undefined : one)]);
}

const GLOBE = 'M10 1a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM1 10h18M10 1c-6 6-6 12 0 18 6-6 6-12 0-18';

/** Renders the language, which expands to links to the same document in all languages. It works without the script. */
export function LanguageNav({ page, view, part }: { page: PageHead; view: View; part: Part }) {
  const languages = linksByLanguage(page, view);
  const current = languages.find(([language]) => language === view.words.language);
  if (languages.length === 0) return null;
  return (
    <nav class="languages" aria-label={view.words.languages_navigation}>
      <details>
        <summary>
          <svg class="shape" viewBox="0 0 20 20" aria-hidden="true">
            <path d={GLOBE} fill="none" stroke="currentColor" stroke-width="1.5" />
          </svg>
          {current ? NAMES[current[0]] : view.words.language}
        </summary>
        <ul>
          {languages.map(([language, links]) => (
            <li>
              <a
                href={links.to(part)}
                lang={language}
                hreflang={language}
                aria-current={language === view.words.language ? 'true' : undefined}
              >
                {NAMES[language]}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}
