import { Field, type InputError, ListOf, ObjectOf, Text } from '../platform/validation/fields.js';
import { pointerTo, validationFailed } from '../platform/problems/problem.js';
import { validate } from '../platform/validation/validate.js';
import { checkHostName, inLowerCase } from '../status-pages/dto/custom-domain.js';
import { cutText } from './cut-text.js';
import type { ImportedPage } from './imported-page.js';
import { keyOf } from './monitor-key.js';
import { collectFieldNames, unusedFieldNames } from './not-imported.js';
import { OptionalText } from './optional-text.js';

const MAX_SLUG = 200; // longer ones are cut
const MAX_SITES = 5_000; // far above the limit of a page, so that the error is about that limit

/** Imported fields of a site. Its URL is not imported, because it can be a secret, and monitors have no URL. */
class UpptimeSite {
  @Text({ min: 1, max: 200, description: 'Name of the site.' })
  name!: string;

  @Field(() => [], { optional: true, description: 'Short name, if it is a text.' }, { type: 'string' })
  slug?: unknown;
}

/** Imported fields of `status-website`. */
class UpptimeWebsite {
  @OptionalText({ max: 200, description: 'Name of the page.' })
  name?: string;

  @Field(
    checkDomain,
    { optional: true, description: 'Custom domain.' },
    { type: 'string', format: 'hostname', maxLength: 253 },
  )
  cname?: string;
}

/** Imported fields of a `.upptimerc.yml` (https://upptime.js.org/docs/configuration). */
class UpptimeFile {
  @OptionalText({ max: 39, description: 'Owner of the repository on GitHub.' })
  owner?: string;

  @OptionalText({ max: 100, description: 'Name of the repository on GitHub.' })
  repo?: string;

  @ListOf(UpptimeSite, { max: MAX_SITES, description: 'Monitored sites, in the order of the status page.' })
  sites!: UpptimeSite[];

  @ObjectOf(UpptimeWebsite, { optional: true, description: 'The status page.' })
  'status-website'?: UpptimeWebsite;
}

/**
 * Reads an Upptime configuration. Sites become monitors in one section, in order. The page gets the name of the website, or of
 * the repository (`owner/repo`), and the website's domain.
 * @param input freshly parsed; is modified
 * @throws Problem 400 `validation_failed` with each field that does not have this format
 */
export function readUpptime(input: object): ImportedPage {
  const names = collectFieldNames(input); // before validation removes unknown fields
  const { instance, errors } = validate(UpptimeFile, input, 'file');
  if (errors.length > 0) throw validationFailed(errors);
  const { owner, repo, sites, 'status-website': website } = instance;
  const used = [
    'sites',
    'sites.name',
    'sites.slug',
    'status-website',
    'status-website.name',
    'status-website.cname',
  ];
  if (!website?.name) used.push('owner', 'repo');
  const monitors = sites.map(({ name, slug }) => ({
    name,
    key: keyOf(typeof slug === 'string' && slug !== '' ? cutText(slug, MAX_SLUG) : name),
  }));
  return {
    name: website?.name || nameOfRepository(owner, repo),
    custom_domain: website?.cname?.toLowerCase() || null,
    sections: monitors.length > 0 ? [{ id: 'sites', title: 'Sites', monitors }] : [],
    not_imported: unusedFieldNames(names, new Set(used)),
  };
}

function nameOfRepository(owner: string | undefined, repo: string | undefined): string {
  if (owner && repo) return `${owner}/${repo}`;
  const detail = 'is required unless the file contains owner and repo';
  throw validationFailed([{ code: 'required', detail, pointer: pointerTo(['status-website', 'name']) }]);
}

function checkDomain(value: unknown): InputError[] {
  if (value === '') return [];
  return checkHostName(inLowerCase(value));
}
