import type { BrandingDto } from '../../branding/dto/branding.dto.js';
import { UpdateBrandingDto } from '../../branding/dto/update-branding.dto.js';
import { check, type Checked, type Labels } from '../errors-of-fields.js';
import { WORDS } from '../words.js';
import type { ReadPage } from './page-reader.js';

const words = WORDS.page.branding;

/** Labels of the branding's fields. */
export const BRANDING_LABELS: Labels = {
  language: words.language,
  theme: words.theme,
  time_zone: words.time_zone,
  website_url: words.website_url,
  support_url: words.support_url,
  links: words.further_links,
  show_response_times: words.response_times,
};

/** A page with its branding. */
export interface ReadBranding extends ReadPage {
  branding: BrandingDto;
}

/** A link in the form. */
export interface LinkValues {
  label: string;
  url: string;
  placement: string;
}

/** Forms of the branding, in display order. Each changes only its own fields. */
export const BRANDING_PARTS = {
  links: ['website_url', 'support_url', 'links'],
  display: ['language', 'time_zone', 'theme', 'show_response_times'],
} as const;

export type BrandingPart = keyof typeof BRANDING_PARTS;

/** Returns the form that was sent. */
export function brandingPartIn(sent: URLSearchParams): BrandingPart {
  return sent.get('part') === 'links' ? 'links' : 'display';
}

/** Values in the form of the branding. `support_url` can be an email address without a scheme. */
export interface BrandingValues {
  language: string;
  theme: string;
  time_zone: string;
  website_url: string;
  support_url: string;
  links: LinkValues[];
  show_response_times: boolean;
}

/** Returns the values of a sent form. Empty links are left out. The fields of the other form are the current ones. */
export function brandingIn(sent: URLSearchParams, current: BrandingValues): BrandingValues {
  const text = (name: string) => (sent.get(name) ?? '').trim();
  const urls = sent.getAll('link_url');
  const links = sent
    .getAll('link_label')
    .map((label, index) => ({
      label: label.trim(),
      url: urls[index]?.trim() ?? '',
      placement: text(`link_placement.${index}`),
    }))
    .filter(({ label, url }) => label !== '' || url !== '');
  if (brandingPartIn(sent) === 'links')
    return { ...current, website_url: text('website_url'), support_url: text('support_url'), links };
  return {
    ...current,
    language: text('language'),
    theme: text('theme'),
    time_zone: text('time_zone'),
    show_response_times: sent.get('show_response_times') === 'on',
  };
}

/** Returns the values of a branding. */
export function brandingOf({ language, theme, time_zone, ...branding }: BrandingDto): BrandingValues {
  return {
    language,
    theme,
    time_zone,
    website_url: branding.website_url ?? '',
    support_url: (branding.support_url ?? '').replace(/^mailto:/, ''),
    links: branding.links.map(({ label, url, placement }) => ({
      label,
      url,
      placement: placement ?? 'footer',
    })),
    show_response_times: branding.show_response_times,
  };
}

/** Validates the values of a form by the DTO of the API. */
export function toBranding(values: BrandingValues, part: BrandingPart): Checked<UpdateBrandingDto> {
  const { language, theme, time_zone, website_url, support_url, links, show_response_times } = values;
  const isAddress = /^[^\s/:@]+@[^\s@]+$/.test(support_url);
  const sent = {
    language: language || null,
    theme: theme || null,
    time_zone: time_zone || null,
    website_url: website_url || null,
    support_url: isAddress ? `mailto:${support_url}` : support_url || null,
    links: links.map(({ placement, ...link }) => ({ ...link, ...(placement !== '' && { placement }) })),
    show_response_times,
  };
  const own: ReadonlySet<string> = new Set(BRANDING_PARTS[part]);
  const fields = Object.fromEntries(Object.entries(sent).filter(([name]) => own.has(name)));
  return check(UpdateBrandingDto, fields, BRANDING_LABELS);
}
