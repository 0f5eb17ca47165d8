import {
  checkText,
  Field,
  Flag,
  type Issue,
  issue,
  ListOf,
  ObjectOf,
  Pattern,
  Text,
} from '../validation/fields.js';
import { type FieldError, pointerTo, validationFailed } from '../problems/problem.js';
import { validate } from '../validation/validate.js';
import { SECTION_ID } from '../status-pages/dto/section.dto.js';
import type { ImportedPage } from './imported-page.js';
import { collectFieldNames, unusedFieldNames } from './not-imported.js';

const MAX_COMPONENTS = 5_000; // far above the limit of a page, so that its error names that limit
const ID_FORM = '1 to 64 letters, digits, "_" or "-"';
const UNGROUPED = 'ungrouped';

/** The imported fields of `page`. */
class StatuspagePage {
  @Text({ min: 1, max: 200, description: 'Name of the page.' })
  name!: string;
}

/** The imported fields of a component or a group. */
class StatuspageComponent {
  @Pattern({ pattern: SECTION_ID, max: 64, form: ID_FORM, description: 'Id of the component.' })
  id!: string;

  @Text({ min: 1, max: 200, description: 'Name of the component.' })
  name!: string;

  @Field(
    nullable((value) => checkText(value, 0, 2_000)),
    { optional: true, description: 'Description.' },
    { type: 'string' },
  )
  description?: string | null;

  @Field(checkInteger, { description: 'Orders groups, and components within a group.' }, { type: 'integer' })
  position!: number;

  @Flag({ optional: true, description: 'Whether it is a group.' })
  group?: boolean;

  @Field(
    nullable(checkId),
    { optional: true, description: 'Id of its group; null: it has none.' },
    { type: 'string' },
  )
  group_id?: string | null;
}

/** The imported fields of a `components.json` (Atlassian Statuspage, public API v2). */
class StatuspageFile {
  @ObjectOf(StatuspagePage, { description: 'The page.' })
  page!: StatuspagePage;

  @ListOf(StatuspageComponent, { max: MAX_COMPONENTS, description: 'Groups and components.' })
  components!: StatuspageComponent[];
}

/**
 * Reads a `components.json` of Atlassian Statuspage. Groups become sections and components become monitors, both ordered by
 * position. Components without a group get a last section.
 * @param input freshly parsed; is modified
 * @throws Problem 400 `validation_failed` with each field that does not have this format
 */
export function readStatuspage(input: object): ImportedPage {
  const names = collectFieldNames(input); // before validation removes unknown fields
  const { instance, errors } = validate(StatuspageFile, input, 'file');
  if (errors.length > 0) throw validationFailed(errors);
  const { page, components } = instance;
  const groups = components.filter(({ group }) => group).toSorted(byPosition);
  requireConsistency(components, new Set(groups.map(({ id }) => id)));

  const members = new Map<string | null, StatuspageComponent[]>();
  for (const component of components.filter(({ group }) => !group)) {
    const { group_id = null } = component;
    const found = members.get(group_id);
    if (found) found.push(component);
    else members.set(group_id, [component]);
  }
  const membersOf = (groupId: string | null) => (members.get(groupId) ?? []).toSorted(byPosition);
  const sections = groups.map(({ id, name }) => ({
    id,
    title: name,
    monitors: membersOf(id).map(toMonitor),
  }));
  const ungrouped = membersOf(null).map(toMonitor);
  if (ungrouped.length > 0) {
    const title = groups.length > 0 ? 'Other components' : 'Components';
    sections.push({ id: unusedSectionId(groups), title, monitors: ungrouped });
  }
  return { name: page.name, sections, not_imported: notImportedNames(names, groups) };
}

// The sort is stable: components with equal positions keep the order of the file.
function byPosition(a: StatuspageComponent, b: StatuspageComponent): number {
  return a.position - b.position;
}

function toMonitor({ name, description }: StatuspageComponent) {
  return { name, description: description ?? '' };
}

/** @throws Problem 400 for duplicate ids, unknown groups, and groups inside groups */
function requireConsistency(components: StatuspageComponent[], groupIds: ReadonlySet<string>): void {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { id, group, group_id = null }] of components.entries()) {
    const at = (field: string) => pointerTo(['components', index, field]);
    if (seen.has(id))
      errors.push({ code: 'duplicate', detail: 'must be unique in the file', pointer: at('id') });
    seen.add(id);
    if (group_id === null) continue;
    const detail = group ? 'must be null in a group' : 'must be the id of a group in the file';
    if (group || !groupIds.has(group_id))
      errors.push({ code: 'invalid_format', detail, pointer: at('group_id') });
  }
  if (errors.length > 0) throw validationFailed(errors);
}

function unusedSectionId(groups: StatuspageComponent[]): string {
  const taken = new Set(groups.map(({ id }) => id));
  let id = UNGROUPED;
  for (let number = 2; taken.has(id); number++) id = `${UNGROUPED}-${number}`;
  return id;
}

const USED: ReadonlySet<string> = new Set(
  `page page.name components components.id components.name components.description components.position
   components.group components.group_id components.components components.page_id`.split(/\s+/),
);

/** The names of fields that were not imported, for the report. */
function notImportedNames(names: Set<string>, groups: StatuspageComponent[]): string[] {
  const unused = unusedFieldNames(names, USED);
  return groups.some(({ description }) => description)
    ? [...unused, 'components.description (of groups)']
    : unused;
}

function nullable(other: (value: unknown) => Issue[]): (value: unknown) => Issue[] {
  return (value) => (value === null ? [] : other(value));
}

function checkId(value: unknown): Issue[] {
  const valid = typeof value === 'string' && SECTION_ID.test(value);
  return valid ? [] : [issue('invalid_format', `must be ${ID_FORM}`)];
}

function checkInteger(value: unknown): Issue[] {
  return Number.isSafeInteger(value) ? [] : [issue('invalid_type', 'must be an integer')];
}
