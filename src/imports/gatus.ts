import slugify from '@sindresorhus/slugify';
import { Flag, ListOf, ObjectOf, Text } from '../platform/validation/fields.js';
import { pointerTo, validationFailed } from '../platform/problems/problem.js';
import { numberDuplicates } from '../platform/validation/slug.js';
import { validate } from '../platform/validation/validate.js';
import type { NewMonitor } from '../monitors/monitor-creation.js';
import type { ImportedPage } from './imported-page.js';
import { keyOf } from './monitor-key.js';
import { collectFieldNames, unusedFieldNames } from './not-imported.js';
import { OptionalText } from './optional-text.js';

const MAX_ENDPOINTS = 5_000; // far above the limit of a page, so that the error is about that limit
const MAX_ID = 64;
const DEFAULT_NAME = 'Health Dashboard'; // the default of Gatus

/** Imported fields of a Gatus endpoint. Its URL is not imported, because it can be a secret, and monitors have no URL. */
class GatusEndpoint {
  @Text({ min: 1, max: 200, description: 'Name of the endpoint.' })
  name!: string;

  @OptionalText({ max: 200, description: 'Name of the group.' })
  group?: string;

  @Flag({ optional: true, description: 'Whether the endpoint is enabled and shown.' })
  enabled?: boolean;
}

/** Imported fields of `ui`. */
class GatusUi {
  @OptionalText({ max: 200, description: 'Title of the page.' })
  title?: string;

  @OptionalText({ max: 200, description: 'Heading of the page.' })
  header?: string;

  @OptionalText({ max: 2_000, description: 'Description of the page.' })
  description?: string;
}

/** Imported fields of a Gatus configuration (https://github.com/TwiN/gatus). */
class GatusFile {
  @ObjectOf(GatusUi, { optional: true, description: 'The status page.' })
  ui?: GatusUi;

  @ListOf(GatusEndpoint, {
    optional: true,
    max: MAX_ENDPOINTS,
    description: 'Endpoints that Gatus monitors.',
  })
  endpoints?: GatusEndpoint[];

  @ListOf(GatusEndpoint, {
    optional: true,
    max: MAX_ENDPOINTS,
    description: 'Endpoints that other programs monitor for Gatus.',
  })
  'external-endpoints'?: GatusEndpoint[];
}

/**
 * Reads a Gatus configuration. Groups become sections in order of appearance, endpoints become monitors, and external endpoints
 * come last. Endpoints without a group are put into a last section. Disabled endpoints, which Gatus does not show, are only
 * counted.
 * @param input freshly parsed; is modified
 * @throws Problem 400 `validation_failed` with each field that does not have this format
 */
export function readGatus(input: object): ImportedPage {
  const names = collectFieldNames(input); // before validation removes unknown fields
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
      ...unusedFieldNames(names, usedNames(ui)),
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

/** Returns the imported fields. Of `ui.title` and `ui.header`, these contain only the one that becomes the name of the page. */
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
    // like the key of Gatus, such as core_api, but with hyphens
    monitors.push({ name, key: keyOf(`${group} ${name}`) });
    groups.set(group, monitors);
  }
  const ungrouped = groups.get('');
  groups.delete('');
  const sections = [...groups].map(([group, monitors]) => ({
    id: sectionIdOf(group),
    title: group,
    monitors,
  }));
  if (ungrouped) {
    const title = sections.length > 0 ? 'Other endpoints' : 'Endpoints';
    sections.push({ id: 'ungrouped', title, monitors: ungrouped });
  }
  const ids = numberDuplicates(
    sections.map(({ id }) => id),
    { max: MAX_ID },
  );
  return sections.map((section, index) => ({ ...section, id: ids[index] ?? section.id }));
}

function sectionIdOf(group: string): string {
  return slugify(group, { decamelize: false }) || 'group';
}
