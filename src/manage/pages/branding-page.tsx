import { IMAGE_KINDS, type ImageKind, PLACEMENTS, THEMES } from '../../branding/branding-values.js';
import { MAX_LINKS } from '../../branding/dto/branding.dto.js';
import { LANGUAGES } from '../../branding/languages.js';
import type { Errors } from '../errors-of-fields.js';
import { Check, Choice, Group, Summary, TextField } from '../fields.js';
import type { Reply } from '../reply.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { AccentPreview } from './accent-preview.js';
import {
  BRANDING_LABELS,
  brandingOf,
  type BrandingValues,
  type LinkValues,
  type ReadBranding,
} from './branding-values.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';
import { Pictures } from './pictures.js';
import { statusOf } from './sections-page.js';

const { page: pageWords } = WORDS;
const words = pageWords.branding;

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' });
const LANGUAGE_OPTIONS = LANGUAGES.map((value) => ({ value, text: NAMES.of(value) ?? value }));
const THEME_OPTIONS = THEMES.map((value) => ({ value, text: words.themes[value] }));

/** Time zones to choose from: the continents' names, and UTC. */
const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** Result of one of the forms, which shows the screen again. */
export interface BrandingResult {
  values?: BrandingValues;
  /** Typed color. */
  color?: string;
  errors?: Errors;
  /** Another member has changed it. */
  conflict?: { author: string | undefined };
}

/** Renders the branding of a page: the color, the language and the links, and the pictures. */
export function renderBranding(visit: Visit, read: ReadBranding, result: BrandingResult = {}): Reply {
  const { errors, conflict } = result;
  const summary = errors?.['form'] ?? (conflict && pageWords.changed(conflict.author));
  return pageScreen(visit, read, {
    tab: 'branding',
    ...statusOf(result),
    children: may(visit, 'status_pages:write') ? (
      <>
        <Summary text={summary} />
        <Color visit={visit} read={read} result={result} />
        <Texts visit={visit} read={read} result={result} />
        <Pictures visit={visit} read={read} errors={errors} />
      </>
    ) : (
      <Shown read={read} />
    ),
  });
}

/** Renders the branding for members who may not change it. */
function Shown({ read: { page, branding } }: { read: ReadBranding }) {
  const { links, show_response_times, ...values } = brandingOf(branding);
  const facts = [
    [words.accent_color, page.accent_color],
    ...Object.entries(values).map(([name, value]) => [
      BRANDING_LABELS[name] ?? name,
      value || pageWords.none,
    ]),
    [words.response_times, show_response_times ? words.shown : words.not_shown],
    ...links.map(({ label, url }) => [label, url]),
  ].map(([label = '', value = '']) => [label, value] as const);
  return <Facts facts={facts} />;
}

interface Part {
  visit: Visit;
  read: ReadBranding;
  result: BrandingResult;
}

function Color({ visit, read: { page }, result: { color = page.accent_color, errors, conflict } }: Part) {
  const isColor = /^#[0-9a-f]{6}$/i.test(color);
  return (
    <section>
      <h2>{words.color}</h2>
      <form class="form" method="post" action={`${pathOf(page, 'branding')}/color`}>
        <Hidden visit={visit} version={page.updated_at} />
        <div class="picker">
          <TextField
            name="accent_color"
            label={words.accent_color}
            hint={words.accent_color_hint}
            value={color}
            errors={errors}
            {...(conflict && color !== page.accent_color && { theirs: page.accent_color })}
          />
          <input type="color" aria-label={WORDS.script.color} data-color="accent_color" hidden />
        </div>
        <div data-preview="accent_color" data-field="accent_color">
          <div data-shown>{isColor && <AccentPreview color={color.toLowerCase()} />}</div>
        </div>
        <div class="actions">
          <button class="button" type="submit">
            {words.save_color}
          </button>
          <button class="button plain" type="submit" name="step" value="show">
            {words.show}
          </button>
        </div>
      </form>
    </section>
  );
}

function Texts({ visit, read: { page, branding }, result: { values, errors, conflict } }: Part) {
  const current = brandingOf(branding);
  const shown = values ?? current;
  const theirs = (name: keyof Omit<BrandingValues, 'links' | 'show_response_times'>) =>
    conflict && shown[name] !== current[name] ? { theirs: current[name] || pageWords.none } : {};
  const field = (name: 'language' | 'theme' | 'time_zone' | 'website_url' | 'support_url') => ({
    name,
    label: BRANDING_LABELS[name] ?? '',
    value: shown[name],
    errors,
    ...theirs(name),
  });
  const areLinksTheirs = conflict && JSON.stringify(shown.links) !== JSON.stringify(current.links);
  return (
    <section>
      <h2>{words.texts}</h2>
      <form class="form" method="post" action={pathOf(page, 'branding')}>
        <Hidden visit={visit} version={branding.updated_at} />
        <Choice {...field('language')} options={LANGUAGE_OPTIONS} />
        <Choice {...field('theme')} options={THEME_OPTIONS} />
        <TextField {...field('time_zone')} hint={words.time_zone_hint} list="zones" />
        <datalist id="zones">
          {TIME_ZONES.map((zone) => (
            <option>{zone}</option>
          ))}
        </datalist>
        <div class="pair">
          <TextField {...field('website_url')} hint={words.website_url_hint} />
          <TextField {...field('support_url')} hint={words.support_url_hint} />
        </div>
        <Group
          name="links"
          label={words.links}
          hint={words.links_hint}
          errors={errors}
          {...(areLinksTheirs && {
            theirs: current.links.map(({ label, url }) => `${label}: ${url}`).join('\n') || pageWords.none,
          })}
        >
          {[...shown.links, EMPTY].slice(0, MAX_LINKS).map((link, index) => (
            <Link link={link} index={index} />
          ))}
        </Group>
        <Check
          name="show_response_times"
          label={words.response_times}
          checked={shown.show_response_times}
          {...(conflict &&
            shown.show_response_times !== current.show_response_times && {
              theirs: current.show_response_times ? words.shown : words.not_shown,
            })}
        />
        <SaveButton />
      </form>
    </section>
  );
}

const EMPTY: LinkValues = { label: '', url: '', placement: 'footer' };

function Link({ link: { label, url, placement }, index }: { link: LinkValues; index: number }) {
  return (
    <div class="linked">
      <input
        type="text"
        name="link_label"
        value={label}
        aria-label={words.link_label(index + 1)}
        autocomplete="off"
        dir="auto"
      />
      <input
        type="text"
        name="link_url"
        value={url}
        aria-label={words.link_url(index + 1)}
        autocomplete="off"
        dir="auto"
      />
      <select name={`link_placement.${index}`} aria-label={words.link_place(index + 1)}>
        {PLACEMENTS.map((value) => (
          <option value={value} selected={value === placement}>
            {words.places[value]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Returns the kind of a picture in a path. */
export function kindIn(path: string): ImageKind | undefined {
  return IMAGE_KINDS.find((kind) => kind === path);
}
