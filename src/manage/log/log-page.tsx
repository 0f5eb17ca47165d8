import type { ApiKeyDto } from '../../api-keys/dto/api-key.dto.js';
import type { EventDto } from '../../events/dto/event.dto.js';
import { ALL_TYPES } from '../../events/event-types.js';
import type { MemberDto } from '../../members/dto/member.dto.js';
import type { Errors, Labels } from '../errors-of-fields.js';
import { Select, Summary, TextField } from '../fields.js';
import { screen } from '../frame.js';
import { Pager } from '../pager.js';
import type { OwnProject } from '../project-contents.js';
import type { Reply } from '../reply.js';
import type { Visit } from '../visit.js';
import { WORDS } from '../words.js';
import { LogEntry, type PageNames } from './log-entry.js';

const { log: words } = WORDS;

const PATH = '/manage/log';

/** Labels of the fields that choose entries. */
export const LOG_LABELS: Labels = {
  actor_id: words.who,
  type: words.type,
  project_id: words.project,
  from: words.from,
  to: words.to,
};

const groupOf = (type: EventDto['type']) => words.groups[type.split('.')[0] ?? ''] ?? words.other;

/** Types by the title of their group. */
const TYPES = [...new Set(ALL_TYPES.map(groupOf))].map((title) => ({
  title,
  options: ALL_TYPES.filter((type) => groupOf(type) === title).map((type) => ({
    value: type,
    text: words.done[type],
  })),
}));

/** Values of the form that chooses entries. Empty: all. Unvalidated. */
export interface LogChoice {
  actor: string;
  type: string;
  project: string;
  resource: string;
  from: string;
  to: string;
}

interface Page {
  choice: LogChoice;
  projects: OwnProject[];
  members: MemberDto[];
  keys: ApiKeyDto[];
  events: EventDto[];
  /** Names of the pages that the entries are about. */
  pages: PageNames;
  /** Cursor of the entries after these. */
  next: string | null;
  errors?: Errors;
}

/** Renders the log, newest first, with the form that chooses entries. */
export function renderLog(visit: Visit, { events, pages, next, errors, ...page }: Page): Reply {
  const isChosen = Object.values(page.choice).some((value) => value !== '');
  return screen({
    title: words.title,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <h1>{words.title}</h1>
        <p class="quiet">{words.text}</p>
        <Chooser {...page} errors={errors} isChosen={isChosen} />
        {events.length === 0 && !errors && <p>{isChosen ? words.none_found : words.none}</p>}
        <ol class="rows">
          {events.map((event) => (
            <LogEntry event={event} pages={pages} />
          ))}
        </ol>
        <Pager visit={visit} path={PATH} next={next} />
      </>
    ),
  });
}

function Chooser({
  choice,
  projects,
  members,
  keys,
  errors,
  isChosen,
}: Pick<Page, 'choice' | 'projects' | 'members' | 'keys'> & {
  errors: Errors | undefined;
  isChosen: boolean;
}) {
  const toOption = ({ id, name }: { id: string; name: string }) => ({ value: id, text: name });
  const groups = [
    { title: words.members, options: members.map(toOption) },
    { title: words.keys, options: keys.map(toOption) },
  ].filter(({ options }) => options.length > 0);
  const isListed = groups.some(({ options }) => options.some(({ value }) => value === choice.actor));
  const chosen = choice.actor === '' || isListed ? [] : [{ value: choice.actor, text: words.chosen_actor }];
  const errorOf = (name: string, field: string) => {
    const text = errors?.[name];
    return text === undefined ? undefined : { [field]: text };
  };
  return (
    <details class="more" open={isChosen || errors !== undefined}>
      <summary>{words.filter}</summary>
      <form class="form" method="get" action={PATH}>
        <Summary text={errors?.['form']} />
        {choice.resource !== '' && (
          <>
            <input type="hidden" name="resource" value={choice.resource} />
            <p>{words.of_resource}</p>
          </>
        )}
        <div class="pair">
          <Select
            name="actor"
            label={words.who}
            value={choice.actor}
            options={[{ value: '', text: words.anybody }, ...chosen]}
            groups={groups}
            errors={errorOf('actor_id', 'actor')}
          />
          <Select
            name="type"
            label={words.type}
            value={choice.type}
            options={[{ value: '', text: words.any_type }]}
            groups={TYPES}
            errors={errors}
          />
          <TextField
            name="from"
            type="datetime-local"
            label={words.from}
            value={choice.from}
            errors={errors}
          />
          <TextField name="to" type="datetime-local" label={words.to} value={choice.to} errors={errors} />
          {projects.length > 1 && (
            <Select
              name="project"
              label={words.project}
              value={choice.project}
              options={[{ value: '', text: words.any_project }, ...projects.map(toOption)]}
            />
          )}
        </div>
        <div class="actions">
          <button class="button" type="submit">
            {words.apply}
          </button>
          {isChosen && (
            <a class="button plain" href={PATH}>
              {words.reset}
            </a>
          )}
        </div>
      </form>
    </details>
  );
}
