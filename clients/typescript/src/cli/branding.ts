import { type Command, InvalidArgumentError } from 'commander';
import type { Branding, BrandingUpdate, Picture } from '../index.js';
import { collect, NONE, wordOf } from './arguments.js';
import { readInput } from './files.js';
import type { Result, Run } from './result.js';
import type { Session } from './session.js';
import { record } from './text.js';

const THEMES = ['auto', 'light', 'dark'] as const;

interface Link {
  label: string;
  url: string;
}

interface BrandingOptions {
  logo?: string;
  logoDark?: string;
  favicon?: string;
  language?: NonNullable<BrandingUpdate['language']>;
  timeZone?: string;
  website?: string;
  support?: string;
  theme?: (typeof THEMES)[number];
  responseTimes?: boolean;
  link?: Link[];
  headerLink?: Link[];
}

/** Adds `page branding`. */
export function addBrandingCommand(pages: Command, run: Run): void {
  pages
    .command('branding')
    .description('show or change the branding of a status page; omitted options keep their values')
    .argument('<page>', 'slug or ID')
    .option('--logo <file>', 'PNG, JPEG, WebP or SVG file; "none" removes the logo')
    .option('--logo-dark <file>', 'the same for dark backgrounds')
    .option('--favicon <file>', 'the same for the icon in browser tabs')
    .option('--language <tag>', 'language of the public page, such as "de"', wordOf(LANGUAGES))
    .option('--time-zone <name>', 'time zone, such as "Europe/Berlin"')
    .option('--website <url>', 'website of the company; "none" removes it')
    .option('--support <url>', 'page or "mailto:" address for support; "none" removes it')
    .option('--theme <theme>', THEMES.join(', '), wordOf(THEMES))
    .option('--response-times', 'show the response times of monitors on their pages')
    .option('--no-response-times', 'do not show them')
    .option('--link <label=url>', 'link in the footer (repeatable); replaces all links', collect(parseLink))
    .option(
      '--header-link <label=url>',
      'link in the header (repeatable); replaces all links',
      collect(parseLink),
    )
    .addHelpText(
      'after',
      '\nExample:\n  status-pages page branding acme --logo logo.svg --favicon icon.png --link "Privacy=https://acme.example/privacy"',
    )
    .action((slugOrId: string, options: BrandingOptions, command: Command) =>
      run(command, async (session) => {
        const files = filesOf(options); // before the first change
        const { id } = await session.page(slugOrId);
        for (const change of files) await change(session, id);
        const fields = fieldsOf(options);
        const { statusPages } = session.client;
        const isChanged = Object.keys(fields).length > 0;
        return shown(await (isChanged ? statusPages.updateBranding(id, fields) : statusPages.branding(id)));
      }),
    );
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh'] as const;

function parseLink(value: string): Link {
  const [, label, url] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (label === undefined || url === undefined)
    throw new InvalidArgumentError('It must be a label, "=" and a URL.');
  return { label, url };
}

type Change = (session: Session, id: string) => Promise<unknown>;

/** Returns the changes of the pictures. Reads all files. */
function filesOf({ logo, logoDark, favicon }: BrandingOptions): Change[] {
  const change = (name: string | undefined, put: (file: Picture) => Change, remove: Change): Change[] => {
    if (name === undefined) return [];
    return [name === NONE ? remove : put(readInput(name))];
  };
  return [
    ...change(
      logo,
      (file) =>
        ({ client }, id) =>
          client.statusPages.putLogo(id, file),
      ({ client }, id) => client.statusPages.deleteLogo(id),
    ),
    ...change(
      logoDark,
      (file) =>
        ({ client }, id) =>
          client.statusPages.putDarkLogo(id, file),
      ({ client }, id) => client.statusPages.deleteDarkLogo(id),
    ),
    ...change(
      favicon,
      (file) =>
        ({ client }, id) =>
          client.statusPages.putFavicon(id, file),
      ({ client }, id) => client.statusPages.deleteFavicon(id),
    ),
  ];
}

function fieldsOf(options: BrandingOptions): BrandingUpdate {
  const { language, timeZone, website, support, theme, responseTimes, link, headerLink } = options;
  const urlOf = (url: string) => (url === NONE ? null : url);
  const links = [
    ...(headerLink ?? []).map((one) => ({ ...one, placement: 'header' as const })),
    ...(link ?? []).map((one) => ({ ...one, placement: 'footer' as const })),
  ];
  return {
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(website !== undefined && { website_url: urlOf(website) }),
    ...(support !== undefined && { support_url: urlOf(support) }),
    ...(theme !== undefined && { theme }),
    ...(responseTimes !== undefined && { show_response_times: responseTimes }),
    ...((link ?? headerLink) && { links }),
  };
}

function shown(branding: Branding): Result {
  const { language, time_zone, website_url, support_url, theme, links, logo, logo_dark, favicon } = branding;
  const text = record({
    language,
    'time zone': time_zone,
    website: website_url ?? undefined,
    support: support_url ?? undefined,
    theme,
    'response times': branding.show_response_times ? 'shown' : 'not shown',
    links: links.map(({ label, url }) => `${label} (${url})`).join(', ') || 'none',
    logo: logo?.url ?? 'none',
    'dark logo': logo_dark?.url,
    favicon: favicon?.url ?? 'none',
  });
  return { json: branding, text };
}
