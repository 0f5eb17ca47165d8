import { posix } from 'node:path';
import type { Links } from '../../page-model/links.js';
import { type Part, pathOf } from '../../page-model/parts.js';

/** File of the script in an export. */
export const SCRIPT_FILE = 'assets/page.js';

/** Returns the file of a part in an export, with `/` between directories. */
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
 * Returns the links of an exported document. They are relative, so they work in any directory of any host, and without a host.
 * @param file the document
 * @param url the address at which the exported directory is served, without a trailing slash
 * @param onLink called for each part that the document links to
 */
export function exportedLinks(file: string, url: string, onLink: (part: Part) => void): Links {
  const directory = posix.dirname(file);
  const absolute = (part: Part): string => {
    onLink(part);
    return `${url}/${fileOf(part).replace(/(^|\/)index\.html$/, '$1')}`;
  };
  return {
    to: (part) => {
      onLink(part);
      return posix.relative(directory, fileOf(part));
    },
    absolute,
    script: posix.relative(directory, SCRIPT_FILE),
    hasForms: false,
  };
}
