import type { ImageInfo } from './images/image-values.js';
import type { Language } from './languages.js';

/** Color schemes of a public page. `auto`: the scheme of the visitor's device. */
export const THEMES = ['auto', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

/** Places of a link on a public page. */
export const PLACEMENTS = ['header', 'footer'] as const;

export type Placement = (typeof PLACEMENTS)[number];

/** A link to another page of the company. */
export interface BrandingLink {
  label: string;
  url: string;
  placement: Placement;
}

/** Pictures of a page, by the names of the API. */
export const IMAGE_KINDS = ['logo', 'logo_dark', 'favicon'] as const;

export type ImageKind = (typeof IMAGE_KINDS)[number];

/** Branding of a page, with its pictures. */
export interface Branding extends Record<ImageKind, ImageInfo | null> {
  language: Language;
  time_zone: string;
  website_url: string | null;
  support_url: string | null;
  links: BrandingLink[];
  theme: Theme;
  show_response_times: boolean;
}
