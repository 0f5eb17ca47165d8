import { type Language, LANGUAGES } from '../../branding/languages.js';
import type { PageHead } from '../data/page-data.js';
import type { Links } from '../documents/links.js';
import type { Part } from '../documents/parts.js';
import type { View } from '../documents/view.js';

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

/** Renders links to the same document in other languages, which work without the script. */
export function LanguageNav({ page, view, part }: { page: PageHead; view: View; part: Part }) {
  const languages = linksByLanguage(page, view);
  if (languages.length === 0) return null;
  return (
    <nav class="languages" aria-label={view.words.languages_navigation}>
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
    </nav>
  );
}
