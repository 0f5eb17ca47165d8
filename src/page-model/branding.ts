import type { Branding, ImageKind } from '../branding/branding-values.js';
import { EXTENSIONS, type ImageExtension, type ImageInfo } from '../branding/images/image-values.js';
import type { Language } from '../branding/languages.js';
import { plainName } from './plain-text.js';

/** File name extensions of pictures. */
export const IMAGE_EXTENSIONS: readonly ImageExtension[] = Object.values(EXTENSIONS);

/** A picture of a page's branding, which the page serves at `/status/{slug}/{name}-{hash}.{extension}`. */
export interface ImageData {
  /** First 16 hexadecimal digits of the SHA-256 hash. */
  hash: string;
  extension: ImageExtension;
  content_type: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** A company's own settings of a page. */
export interface PageBranding {
  language: Language;
  /** IANA name. */
  time_zone: string;
  website_url: string | null;
  support_url: string | null;
  links: { label: string; url: string; placement: 'header' | 'footer' }[];
  theme: 'auto' | 'light' | 'dark';
  show_response_times: boolean;
  logo: ImageData | null;
  logo_dark: ImageData | null;
  favicon: ImageData | null;
}

/** Returns a branding in the format of the page. */
export function toPageBranding({ links, ...branding }: Branding): PageBranding {
  const imageOf = (kind: ImageKind) => toImageData(branding[kind]);
  return {
    language: branding.language,
    time_zone: branding.time_zone,
    website_url: branding.website_url,
    support_url: branding.support_url,
    links: links.map(({ label, url, placement }) => ({ label: plainName(label), url, placement })),
    theme: branding.theme,
    show_response_times: branding.show_response_times,
    logo: imageOf('logo'),
    logo_dark: imageOf('logo_dark'),
    favicon: imageOf('favicon'),
  };
}

function toImageData(image: ImageInfo | null): ImageData | null {
  if (!image) return null;
  const { hash, content_type, width, height } = image;
  return { hash, extension: EXTENSIONS[content_type], content_type, width, height };
}
