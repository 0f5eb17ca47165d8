import { IntersectionType, OmitType, PickType } from '@nestjs/swagger';
import type { StatusPageDto } from '../../status-pages/dto/status-page.dto.js';
import { UpdateStatusPageSettingsDto } from '../../status-pages/dto/update-status-page-settings.dto.js';
import { UpdateStatusPageDto } from '../../status-pages/dto/update-status-page.dto.js';
import { check, type Checked, type Errors, type Labels } from '../errors-of-fields.js';
import { Check, Choice, Group, Summary, TextArea, TextField } from '../fields.js';
import { textIn } from '../incident-form.js';
import type { Reply } from '../reply.js';
import { may, type Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { textOf } from './page-differences.js';
import { Facts, Hidden, pageScreen, pathOf, SaveButton } from './page-frame.js';
import type { ReadPage } from './page-reader.js';

const { page: pageWords } = WORDS;
const words = pageWords.settings;

/** Settings that are switched on or off, in display order. */
const FLAGS = ['show_history', 'subscribe_enabled', 'rss_enabled', 'show_powered_by'] as const;

/** The fields of a page that the form changes. */
export class PageSettingsDto extends IntersectionType(
  PickType(UpdateStatusPageDto, ['name', 'is_public']),
  OmitType(UpdateStatusPageSettingsDto, ['custom_domain']),
) {}

/** Labels of the settings. */
export const SETTINGS_LABELS: Labels = {
  name: words.name,
  slug: words.slug,
  description: words.description,
  is_public: words.visibility,
  history_days: words.history_days,
  show_history: words.show_history,
  subscribe_enabled: words.subscribe_enabled,
  rss_enabled: words.rss_enabled,
  show_powered_by: words.show_powered_by,
};

/** Values in the form. */
export type SettingsValues = Record<'name' | 'slug' | 'description' | 'history_days', string> &
  Record<'is_public' | (typeof FLAGS)[number], boolean>;

/** Returns the values of a sent form. */
export function settingsIn(sent: URLSearchParams): SettingsValues {
  const isOn = (name: string) => sent.get(name) === 'on';
  return {
    name: (sent.get('name') ?? '').trim(),
    slug: (sent.get('slug') ?? '').trim(),
    description: textIn(sent, 'description'),
    history_days: (sent.get('history_days') ?? '').trim(),
    is_public: sent.get('is_public') === 'true',
    show_history: isOn('show_history'),
    subscribe_enabled: isOn('subscribe_enabled'),
    rss_enabled: isOn('rss_enabled'),
    show_powered_by: isOn('show_powered_by'),
  };
}

/** Returns the values of a page. */
export function settingsOf(page: StatusPageDto): SettingsValues {
  return { ...page, history_days: String(page.history_days) };
}

/** Validates the values by the DTOs of the API. */
export function toSettings(values: SettingsValues): Checked<PageSettingsDto> {
  const { name, slug, description, history_days, is_public, ...flags } = values;
  const { show_history, subscribe_enabled, rss_enabled, show_powered_by } = flags;
  const days = /^\d{1,9}$/.test(history_days) ? Number(history_days) : history_days || null;
  const sent = {
    name: name || null,
    slug: slug || null,
    description,
    is_public,
    history_days: days,
    show_history,
    subscribe_enabled,
    rss_enabled,
    show_powered_by,
  };
  return check(PageSettingsDto, sent, SETTINGS_LABELS);
}

interface SettingsPage {
  values: SettingsValues;
  canMail: boolean;
  errors?: Errors | undefined;
  /** Another member has changed the page, which `ReadPage` contains. */
  conflict?: { author: string | undefined };
}

/** Renders the settings of a page, as a form for members who may change them. */
export function renderSettings(visit: Visit, read: ReadPage, settings: SettingsPage): Reply {
  const { errors, conflict } = settings;
  return pageScreen(visit, read, {
    tab: 'settings',
    ...((errors ?? conflict) && { status: errors ? 400 : 409 }),
    children: may(visit, 'status_pages:write') ? (
      <SettingsForm visit={visit} read={read} {...settings} />
    ) : (
      <Facts
        facts={Object.entries(settingsOf(read.page)).flatMap(([name, value]) => {
          const label = SETTINGS_LABELS[name];
          return label === undefined ? [] : [[label, textOf(name, value)] as const];
        })}
      />
    ),
  });
}

function SettingsForm({
  visit,
  read: { page, url },
  values,
  canMail,
  errors,
  conflict,
}: SettingsPage & { visit: Visit; read: ReadPage }) {
  const current = settingsOf(page);
  const theirs = (name: keyof SettingsValues) =>
    conflict && values[name] !== current[name] ? { theirs: textOf(name, current[name]) } : {};
  const field = (name: 'name' | 'slug' | 'description' | 'history_days') => ({
    name,
    label: SETTINGS_LABELS[name] ?? '',
    value: values[name],
    errors,
    ...theirs(name),
  });
  const visibility = [
    { value: 'true', text: words.public },
    { value: 'false', text: words.private },
  ];
  return (
    <form class="form" method="post" action={pathOf(page)}>
      <Hidden visit={visit} version={page.updated_at} />
      <Summary text={errors?.['form'] ?? (conflict && pageWords.changed(conflict.author))} />
      <TextField {...field('name')} />
      <TextField {...field('slug')} hint={words.slug_hint(url.replace(/^https?:\/\//, ''))} />
      <TextArea {...field('description')} hint={words.description_hint} rows={2} />
      <Choice
        name="is_public"
        label={words.visibility}
        hint={words.visibility_hint}
        value={String(values.is_public)}
        options={visibility}
        errors={errors}
        {...theirs('is_public')}
      />
      <Group name="content" label={words.content}>
        {FLAGS.map((name) => (
          <Check name={name} label={SETTINGS_LABELS[name] ?? ''} checked={values[name]} {...theirs(name)} />
        ))}
        {!canMail && <small class="hint">{words.no_mail}</small>}
      </Group>
      <TextField {...field('history_days')} type="number" hint={words.history_days_hint} />
      <SaveButton />
    </form>
  );
}
