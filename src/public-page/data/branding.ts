/** A picture of a page's branding, which the page serves at `/status/{slug}/{name}-{hash}.{extension}`. */
export interface ImageData {
  /** First 16 hexadecimal digits of the SHA-256 of its bytes. */
  hash: string;
  extension: 'png' | 'jpg' | 'webp' | 'svg';
  content_type: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** A company's own settings of a page. */
export interface PageBranding {
  /** BCP 47. */
  language: string;
  /** IANA name. */
  time_zone: string;
  website_url: string | null;
  support_url: string | null;
  links: { label: string; url: string; placement: 'header' | 'footer' }[];
  theme: 'auto' | 'light' | 'dark';
  logo: ImageData | null;
  logo_dark: ImageData | null;
  favicon: ImageData | null;
}

/** Branding of a page that has none. */
export const DEFAULT_BRANDING: PageBranding = {
  language: 'en',
  time_zone: 'UTC',
  website_url: null,
  support_url: null,
  links: [],
  theme: 'auto',
  logo: null,
  logo_dark: null,
  favicon: null,
};
