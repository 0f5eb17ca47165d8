import slugify from '@sindresorhus/slugify';
import { Flag, ListOf, ObjectOf, Text } from '../validation/fields.js';
import { pointerTo, validationFailed } from '../problems/problem.js';
import { validate } from '../validation/validate.js';
import type { NewMonitor } from '../monitors/monitors.service.js';
import type { ImportedPage } from './imported-page.js';
import { collectFieldNames, unusedFieldNames } from './not-imported.js';
import { OptionalText } from './optional-text.js';

const MAX_ENDPOINTS = 5_000; // far more than a page may show, so that the error is about the page
const MAX_ID = 64;
const NUMBER_SUFFIX_LENGTH = '-10000'.length;
const DEFAULT_NAME = 'Health Dashboard'; // what Gatus itself shows

/** What is read of an endpoint in a configuration of Gatus. Not its URL: that may be a secret, and a monitor has none. */
class GatusEndpoint {
  @Text({ min: 1, max: 200, description: 'Name of the endpoint.' })
  name!: string;

  @OptionalText({ max: 200, description: 'Name of its group.' })
  group?: string;

  @Flag({ optional: true, description: 'Whether it is watched, and shown.' })
  enabled?: boolean;
}

/** What is read of `ui` in a configuration of Gatus. */
class GatusUi {
  @OptionalText({ max: 200, description: 'Title of the page.' })
  title?: string;

  @OptionalText({ max: 200, description: 'Heading of the page.' })
  header?: string;

  @OptionalText({ max: 2_000, description: 'Description of the page.' })
  description?: string;
}

/** What is read of a configuration of Gatus (https://github.com/TwiN/gatus). */
class GatusFile {
  @ObjectOf(GatusUi, { optional: true, description: 'The page.' })
  ui?: GatusUi;

  @ListOf(GatusEndpoint, { optional: true, max: MAX_ENDPOINTS, description: 'What Gatus watches.' })
  endpoints?: GatusEndpoint[];

  @ListOf(GatusEndpoint, { optional: true, max: MAX_ENDPOINTS, description: 'What others watch for it.' })
  'external-endpoints'?: GatusEndpoint[];
}

/**
 * Reads the configuration of Gatus: its groups become sections, in the order in which they first appear, and their
 * endpoints monitors; external endpoints come after the others. Endpoints without a group get a section of their own,
 * the last. Those that are not enabled, which Gatus does not show, are left out and counted.
 * @param input is ours alone, freshly parsed
 * @throws Problem 400 `validation_failed` naming each place that is not of this format
 */
export function readGatus(input: object): ImportedPage {
  const given = collectFieldNames(input); // before validation takes out what it does not know
  const { instance, errors } = validate(GatusFile, input, 'file');
  if (errors.length > 0) throw validationFailed(errors);
  const { ui, endpoints, 'external-endpoints': external } = instance;
  if (!endpoints && !external) {
    throw validationFailed([{ code: 'required', detail: 'is required', pointer: pointerTo(['endpoints']) }]);
  }
  return {
    name: ui?.title || ui?.header || DEFAULT_NAME,
    description: ui?.description ?? '',
    sections: toSections([...(endpoints ?? []), ...(external ?? [])].filter(isEnabled)),
    not_imported: [
      ...unusedFieldNames(given, usedNames(ui)),
      ...disabledEndpoints('endpoints', endpoints),
      ...disabledEndpoints('external-endpoints', external),
    ],
  };
}

function isEnabled({ enabled = true }: GatusEndpoint): boolean {
  return enabled;
}

const USED =
  `ui ui.title ui.description endpoints endpoints.name endpoints.group endpoints.enabled external-endpoints
  external-endpoints.name external-endpoints.group external-endpoints.enabled`.split(/\s+/);

/** What of the file has a place here: of the two names of the page the one that it gets. */
function usedNames(ui: GatusUi | undefined): Set<string> {
  return new Set(ui?.title ? USED : [...USED, 'ui.header']);
}

function disabledEndpoints(name: string, endpoints: GatusEndpoint[] = []): string[] {
  const count = endpoints.filter((endpoint) => !isEnabled(endpoint)).length;
  return count > 0 ? [`${name} (${count} not enabled)`] : [];
}

function toSections(endpoints: GatusEndpoint[]): ImportedPage['sections'] {
  const groups = new Map<string, NewMonitor[]>();
  for (const { name, group = '' } of endpoints) {
    const monitors = groups.get(group) ?? [];
    monitors.push({ name });
    groups.set(group, monitors);
  }
  const ungrouped = groups.get('');
  groups.delete('');
  const wanted = [...groups].map(([group, monitors]) => ({ id: sectionIdOf(group), title: group, monitors }));
  if (ungrouped) {
    const title = wanted.length > 0 ? 'Other endpoints' : 'Endpoints';
    wanted.push({ id: 'ungrouped', title, monitors: ungrouped });
  }
  return withUniqueIds(wanted);
}

function sectionIdOf(group: string): string {
  return slugify(group, { decamelize: false }).slice(0, MAX_ID) || 'group';
}

/** The sections with ids that are unique: of those that are equal, the first keeps it, the others get a number. */
function withUniqueIds(sections: ImportedPage['sections']): ImportedPage['sections'] {
  const taken = new Set<string>();
  const numbers = new Map<string, number>(); // so that many equal ones are not counted through again and again
  return sections.map((section) => {
    const stem = section.id.slice(0, MAX_ID - NUMBER_SUFFIX_LENGTH);
    let number = numbers.get(stem) ?? 1;
    let { id } = section;
    while (taken.has(id)) id = `${stem}-${(number += 1)}`;
    numbers.set(stem, number);
    taken.add(id);
    return { ...section, id };
  });
}
