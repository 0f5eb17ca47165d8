import { posix } from 'node:path';
import type { Links } from '../documents/links.js';
import { type Part, pathOf } from '../documents/parts.js';

/** The file of the script in an export. */
export const SCRIPT_FILE = 'assets/page.js';

/** The file of a part in an export, with `/` between directories. */
export function fileOf(part: Part): string {
  switch (part.kind) {
    case 'overview':
      return 'index.html';
    case 'monitor':
    case 'incident':
    case 'maintenance':
      return `${pathOf(part).slice(1)}/index.html`;
    case 'history':
      return `history/${part.month}/index.html`;
    default:
      return pathOf(part).slice(1);
  }
}

/**
 * The links of an exported document: relative ones, which work in each directory of each host, and without a host.
 * @param file the document
 * @param url the address at which the exported directory is served, without a slash at the end
 * @param onLink is called for each part that the document links to
 */
export function exportedLinks(file: string, url: string, onLink: (part: Part) => void): Links {
  const directory = posix.dirname(file);
  return {
    to: (part) => {
      onLink(part);
      return posix.relative(directory, fileOf(part));
    },
    absolute: (part) => {
      onLink(part);
      return `${url}/${fileOf(part).replace(/(^|\/)index\.html$/, '$1')}`;
    },
    script: posix.relative(directory, SCRIPT_FILE),
  };
}
