import { parseJson } from '../platform/validation/body.js';
import { type FieldError, validationFailed } from '../platform/problems/problem.js';
import { MAX_MONITORS, MAX_MONITORS_IN_SECTION, MAX_SECTIONS } from '../status-pages/dto/section.dto.js';
import { readGatus } from './gatus.js';
import type { ImportedPage } from './imported-page.js';
import { readStatuspage } from './statuspage.js';
import { readUpptime } from './upptime.js';
import { parseYaml } from './yaml.js';

const FORMATS = {
  statuspage: { parse: parseJson, read: readStatuspage },
  upptime: { parse: parseYaml, read: readUpptime },
  gatus: { parse: parseYaml, read: readGatus },
};

/** Formats of other status page software. */
export type ImportFormat = keyof typeof FORMATS;

/**
 * Reads the page in a file of at most 5 MiB, and checks the limits of a page. A hostile file can take seconds and hundreds of
 * megabytes, so servers must use `ReaderThreads`.
 * @throws Problem 400 `malformed_json`, `malformed_yaml` or `validation_failed`
 */
export function readFile(format: ImportFormat, bytes: Uint8Array): ImportedPage {
  return readParsed(format, FORMATS[format].parse(bytes));
}

/**
 * Reads the page in a parsed file.
 * @param file freshly parsed; is modified
 * @throws Problem 400 `validation_failed`
 */
export function readParsed(format: ImportFormat, file: object): ImportedPage {
  const imported = FORMATS[format].read(file);
  requireWithinLimits(imported.sections);
  return imported;
}

function requireWithinLimits(sections: ImportedPage['sections']): void {
  const errors: FieldError[] = [];
  const addError = (detail: string) => errors.push({ code: 'too_long', detail, pointer: '#' });
  const total = sections.reduce((sum, { monitors }) => sum + monitors.length, 0);
  if (sections.length > MAX_SECTIONS)
    addError(`has ${sections.length} sections; the maximum for a status page is ${MAX_SECTIONS}`);
  if (total > MAX_MONITORS)
    addError(`has ${total} monitors; the maximum for a status page is ${MAX_MONITORS}`);
  for (const { title, monitors } of sections) {
    if (monitors.length <= MAX_MONITORS_IN_SECTION) continue;
    addError(
      `"${title}" has ${monitors.length} monitors; the maximum for a section is ${MAX_MONITORS_IN_SECTION}`,
    );
  }
  if (errors.length > 0) throw validationFailed(errors);
}
