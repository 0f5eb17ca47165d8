import { Field, type Issue, ListOf, ObjectOf, Text } from '../validation/fields.js';
import { pointerTo, validationFailed } from '../problems/problem.js';
import { validate } from '../validation/validate.js';
import { checkHostName, inLowerCase } from '../status-pages/dto/custom-domain.js';
import type { ImportedPage } from './imported-page.js';
import { namesIn, namesLeft } from './not-imported.js';
import { OptionalText } from './optional-text.js';

const MAX_SITES = 5_000; // far more than a page may show, so that the error is about the page

/** What is read of a site in a `.upptimerc.yml`. Not its URL: that may be a secret, and a monitor has none. */
class UpptimeSite {
  @Text({ min: 1, max: 200, description: 'Name of the site.' })
  name!: string;
}

/** What is read of `status-website` in a `.upptimerc.yml`. */
class UpptimeWebsite {
  @OptionalText({ max: 200, description: 'Name of the page.' })
  name?: string;

  @Field(
    checkDomain,
    { optional: true, description: 'Its domain.' },
    { type: 'string', format: 'hostname', maxLength: 253 },
  )
  cname?: string;
}

/** What is read of a `.upptimerc.yml` (https://upptime.js.org/docs/configuration). */
class UpptimeFile {
  @OptionalText({ max: 39, description: 'Owner of the repository on GitHub.' })
  owner?: string;

  @OptionalText({ max: 100, description: 'Name of the repository on GitHub.' })
  repo?: string;

  @ListOf(UpptimeSite, { max: MAX_SITES, description: 'What is watched, in the order of the page.' })
  sites!: UpptimeSite[];

  @ObjectOf(UpptimeWebsite, { optional: true, description: 'The page.' })
  'status-website'?: UpptimeWebsite;
}

/**
 * Reads the configuration of Upptime: its sites become monitors, in their order, in one section. The page is named as
 * the website there, or else as the repository (`owner/repo`), and has its domain.
 * @param input is ours alone, freshly parsed
 * @throws Problem 400 `validation_failed` naming each place that is not of this format
 */
export function readUpptime(input: object): ImportedPage {
  const given = namesIn(input); // before validation takes out what it does not know
  const { instance, errors } = validate(UpptimeFile, input, 'file');
  if (errors.length > 0) throw validationFailed(errors);
  const { owner, repo, sites, 'status-website': website } = instance;
  const used = ['sites', 'sites.name', 'status-website', 'status-website.name', 'status-website.cname'];
  if (!website?.name) used.push('owner', 'repo');
  const monitors = sites.map(({ name }) => ({ name }));
  return {
    name: website?.name || nameOfRepository(owner, repo),
    custom_domain: website?.cname?.toLowerCase() || null,
    sections: monitors.length > 0 ? [{ id: 'sites', title: 'Sites', monitors }] : [],
    not_imported: namesLeft(given, new Set(used)),
  };
}

function nameOfRepository(owner: string | undefined, repo: string | undefined): string {
  if (owner && repo) return `${owner}/${repo}`;
  const detail = 'is required where the file does not have both owner and repo';
  throw validationFailed([{ code: 'required', detail, pointer: pointerTo(['status-website', 'name']) }]);
}

function checkDomain(value: unknown): Issue[] {
  if (value === '') return [];
  return checkHostName(inLowerCase(value));
}
