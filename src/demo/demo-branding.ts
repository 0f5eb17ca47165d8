import type { BrandingLink } from '../branding/branding-values.js';

/** Returns the logo: a mark, and the word "acme" in one color. */
function logo(color: string): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="146" height="40" viewBox="0 0 146 40">
<rect width="40" height="40" rx="10" fill="#4f46e5"/>
<path d="M12.5 28a5.5 5.5 0 0 1-.6-10.9 8.5 8.5 0 0 1 16.4 1.4A4.8 4.8 0 0 1 27.5 28z" fill="#fff"/>
<g fill="none" stroke="${color}" stroke-width="4" stroke-linecap="round">
<circle cx="62" cy="20" r="7.5"/><path d="M69.5 12.5v15"/>
<path d="M88.3 14.700a7.5 7.5 0 1 0 0 10.6"/>
<path d="M97 27.500v-15M97 18a5.5 5.5 0 0 1 11 0v9.500M108 18a5.5 5.5 0 0 1 11 0v9.5"/>
<path d="M126.5 20h15a7.5 7.5 0 1 0-2.2 5.3"/>
</g>
</svg>
`);
}

/** Branding of the first page of the demo. */
export const BRANDING = {
  show_response_times: true,
  website_url: 'https://acme.example',
  support_url: 'mailto:support@acme.example',
  links: [
    { label: 'Documentation', url: 'https://docs.acme.example', placement: 'header' },
    { label: 'Privacy', url: 'https://acme.example/privacy', placement: 'footer' },
  ] satisfies BrandingLink[],
};

/** Logos of the first page of the demo. */
export const IMAGES = { logo: logo('#1e1b4b'), logo_dark: logo('#eef2ff') };
