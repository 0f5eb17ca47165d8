import { AllOrSome } from '../all-or-some.js';
import { SubmitButton } from '../buttons.js';
import type { Errors, Labels } from '../errors-of-fields.js';
import { Check, Group, Summary, TextField } from '../fields.js';
import { screen } from '../frame.js';
import type { OwnProject } from '../project-contents.js';
import type { Reply } from '../reply.js';
import { Crumb, FormKeys } from '../resource-form.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { fromLocal } from '../zoned-time.js';

const { keys: words } = WORDS;

/** Labels of a key's fields. */
export const KEY_LABELS: Labels = {
  name: words.name,
  scopes: words.scopes,
  project_ids: words.projects,
  expires_at: words.expires,
};

/** Values in the form of a new key. `project_ids`: null for all projects. `expires_at`: as entered. */
export interface KeyValues {
  name: string;
  scopes: string[];
  project_ids: string[] | null;
  expires_at: string;
}

/** Returns the values of a sent form. */
export function keyIn(sent: URLSearchParams): KeyValues {
  return {
    name: (sent.get('name') ?? '').trim(),
    scopes: sent.getAll('scopes'),
    project_ids: sent.get('projects') === 'all' ? null : sent.getAll('project_ids'),
    expires_at: sent.get('expires_at') ?? '',
  };
}

/** Returns the body of the API. An invalid time stays as it is, so that the validation rejects it. */
export function toKey({ name, scopes, project_ids, expires_at }: KeyValues): object {
  const end = expires_at === '' ? null : (fromLocal(expires_at, 'UTC')?.toISOString() ?? expires_at);
  return { ...(name !== '' && { name }), scopes, project_ids, expires_at: end };
}

/** Replaces the errors of empty lists. */
export function withChoices(errors: Errors, { scopes, project_ids }: KeyValues): Errors {
  return {
    ...errors,
    ...(scopes.length === 0 && { scopes: words.no_scopes }),
    ...(project_ids?.length === 0 && { project_ids: words.projects_missing }),
  };
}

interface FormPage {
  values: KeyValues;
  /** Projects that the member sees, at most the newest ones. */
  projects: OwnProject[];
  errors?: Errors | undefined;
}

/** Renders the form of a new key. */
export function renderNewKey(visit: Visit, { values, projects, errors }: FormPage): Reply {
  const { actor } = visit;
  return screen({
    title: words.new,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb path="/manage/keys" text={words.title} />
        <h1>{words.new}</h1>
        <form class="form" method="post" action="/manage/keys">
          <FormKeys visit={visit} />
          <Summary text={errors?.['form']} />
          <TextField
            name="name"
            label={words.name}
            hint={words.name_hint}
            value={values.name}
            errors={errors}
          />
          <Group name="scopes" label={words.scopes} hint={words.scopes_hint} errors={errors}>
            <div class="checks">
              {actor.scopes.map((scope) => (
                <Check name="scopes" value={scope} label={scope} checked={values.scopes.includes(scope)} />
              ))}
            </div>
          </Group>
          <Group name="project_ids" label={words.projects} errors={errors}>
            <AllOrSome
              name="projects"
              all={actor.project_ids === null ? words.all_projects : undefined}
              some={words.some_projects}
              isAll={values.project_ids === null}
            >
              {projects.map(({ id, name }) => (
                <Check
                  name="project_ids"
                  value={id}
                  label={name}
                  checked={values.project_ids?.includes(id) ?? false}
                />
              ))}
            </AllOrSome>
          </Group>
          <TextField
            name="expires_at"
            type="datetime-local"
            label={words.expires}
            hint={words.expires_hint}
            value={values.expires_at}
            errors={errors}
          />
          <SubmitButton text={words.create} />
        </form>
      </>
    ),
  });
}
