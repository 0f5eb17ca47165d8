import { IMAGE_KINDS, type ImageKind, THEMES } from '../../branding/branding-values.js';
import { MAX_LINKS } from '../../branding/dto/branding.dto.js';
import { LANGUAGES } from '../../branding/languages.js';
import type { Errors } from '../errors-of-fields.js';
import { Check, Choice, Group, Summary, TextField } from '../fields.js';
import type { Reply } from '../reply.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { AccentPreview } from './accent-preview.js';
import { Link } from './branding-link.js';
import { BRANDING_LABELS, brandingOf, type BrandingValues, type ReadBranding } from './branding-values.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton, SavedHere } from './page-frame.js';
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

/** Renders the branding of a page: the pictures, the color, the links, and how the page is displayed. */
export function renderBranding(visit: Visit, read: ReadBranding, result: BrandingResult = {}): Reply {
  const { errors, conflict } = result;
  const summary = errors?.['form'] ?? (conflict && pageWords.changed(conflict.author));
  return pageScreen(visit, read, {
    tab: 'branding',
    ...statusOf(result),
    children: may(visit, 'status_pages:write') ? (
      <>
        <Summary text={summary} />
        <Pictures visit={visit} read={read} errors={errors} />
        <Color visit={visit} read={read} result={result} />
        <Links visit={visit} read={read} result={result} />
        <Display visit={visit} read={read} result={result} />
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

const EMPTY_LINK = { label: '', url: '', placement: 'footer' };

interface Part {
  visit: Visit;
  read: ReadBranding;
  result: BrandingResult;
}

function Color({ visit, read: { page }, result: { color = page.accent_color, errors, conflict } }: Part) {
  const isColor = /^#[0-9a-f]{6}$/i.test(color);
  return (
    <section id="color">
      <h2>{words.color}</h2>
      <SavedHere visit={visit} page={page} place="color" />
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
          <button
            class="button plain"
            type="submit"
            name="step"
            value="show"
            formAction={`${pathOf(page, 'branding')}/color#color`}
          >
            {words.preview}
          </button>
        </div>
      </form>
    </section>
  );
}

/** Returns a function with the attributes of the branding's fields of one line. */
function fieldsOf({ read: { branding }, result: { values, errors, conflict } }: Part) {
  const current = brandingOf(branding);
  const shown = values ?? current;
  return (name: 'language' | 'theme' | 'time_zone' | 'website_url' | 'support_url') => ({
    name,
    label: BRANDING_LABELS[name] ?? '',
    value: shown[name],
    errors,
    ...(conflict && shown[name] !== current[name] && { theirs: current[name] || pageWords.none }),
  });
}

function Links({ visit, read, result }: Part) {
  const { page, branding } = read;
  const { values, errors, conflict } = result;
  const current = brandingOf(branding);
  const { links } = values ?? current;
  const areTheirs = conflict && JSON.stringify(links) !== JSON.stringify(current.links);
  const field = fieldsOf({ visit, read, result });
  return (
    <section id="links">
      <h2>{words.links}</h2>
      <SavedHere visit={visit} page={page} place="links" />
      <form class="form" method="post" action={pathOf(page, 'branding')}>
        <Hidden visit={visit} version={branding.updated_at} />
        <input type="hidden" name="part" value="links" />
        <div class="pair">
          <TextField {...field('website_url')} hint={words.website_url_hint} />
          <TextField {...field('support_url')} hint={words.support_url_hint} />
        </div>
        <Group
          name="links"
          label={words.further_links}
          hint={words.links_hint}
          errors={errors}
          {...(areTheirs && {
            theirs: current.links.map(({ label, url }) => `${label}: ${url}`).join('\n') || pageWords.none,
          })}
        >
          {[...links, EMPTY_LINK].slice(0, MAX_LINKS).map((link, index) => (
            <Link link={link} index={index} />
          ))}
        </Group>
        <SaveButton />
      </form>
    </section>
  );
}

function Display({ visit, read, result }: Part) {
  const { page, branding } = read;
  const { values, conflict } = result;
  const current = brandingOf(branding);
  const shown = values ?? current;
  const field = fieldsOf({ visit, read, result });
  return (
    <section id="display">
      <h2>{words.display}</h2>
      <SavedHere visit={visit} page={page} place="display" />
      <form class="form" method="post" action={pathOf(page, 'branding')}>
        <Hidden visit={visit} version={branding.updated_at} />
        <input type="hidden" name="part" value="display" />
        <Choice {...field('language')} options={LANGUAGE_OPTIONS} />
        <TextField {...field('time_zone')} hint={words.time_zone_hint} list="zones" />
        <datalist id="zones">
          {TIME_ZONES.map((zone) => (
            <option>{zone}</option>
          ))}
        </datalist>
        <Choice {...field('theme')} options={THEME_OPTIONS} />
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

/** Returns the kind of a picture in a path. */
export function kindIn(path: string): ImageKind | undefined {
  return IMAGE_KINDS.find((kind) => kind === path);
}
