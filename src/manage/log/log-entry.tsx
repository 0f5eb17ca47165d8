import type { EventDto } from '../../events/dto/event.dto.js';
import { datesOf } from '../../page-model/dates.js';
import type { FieldChange } from '../../platform/log/changes.js';
import { cut } from '../texts.js';
import { WORDS } from '../words.js';

const { log: words } = WORDS;

/** Maximum number of changed fields in an entry, and maximum length of a value in characters. */
const MAX_FIELDS = 3;
const MAX_LENGTH = 40;

const short = (text: string) => cut(text, MAX_LENGTH);

/** Screens of resources, by the type of the resource. */
const SCREENS: Readonly<Record<string, string>> = {
  incident: '/manage/incidents',
  maintenance: '/manage/maintenances',
  monitor: '/manage/monitors',
  incident_template: '/manage/templates',
  api_key: '/manage/keys',
  webhook_endpoint: '/manage/webhooks',
  status_page: '/manage/pages',
};

/** Names of pages, by ID. */
export type PageNames = ReadonlyMap<string, string>;

/** Renders an entry of the log as a sentence, with the changed fields. */
export function LogEntry({ event, pages }: { event: EventDto; pages: PageNames }) {
  const { actor, type, via, created_at, resource_id } = event;
  const dates = datesOf('en', 'UTC', new Date());
  const time = dates.time(created_at);
  const relative = dates.relative(created_at);
  const name = nameOf(event) ?? pages.get(resource_id);
  const screen = screenOf(event);
  return (
    <li class="row log">
      <p>
        {actor?.id ? (
          <a href={`/manage/log?actor=${actor.id}`} title={words.by_actor(short(actor.name))}>
            <bdi>{short(actor.name)}</bdi>
          </a>
        ) : (
          <bdi>{whoOf(event)}</bdi>
        )}{' '}
        {words.done[type]}
        {name !== undefined && (
          <>
            {' '}
            <bdi class="what">“{short(name)}”</bdi>
          </>
        )}
      </p>
      <Changed event={event} />
      <p class="quiet">
        <time dateTime={created_at.toISOString()}>{relative === null ? time : `${relative}, ${time}`}</time>
        {via !== null && ` · ${words.via[via]}`}
        {screen !== undefined && (
          <>
            {' · '}
            <a href={screen}>{words.open}</a>
          </>
        )}
        {' · '}
        <a href={`/manage/log?resource=${resource_id}`}>{words.history}</a>
      </p>
    </li>
  );
}

function Changed({ event: { changes, data, type } }: { event: EventDto }) {
  const isStatus = type === 'monitor.status_changed';
  const found: [string, FieldChange][] = isStatus
    ? [['status', { from: data['from'] ?? 'unknown', to: data['to'] ?? 'unknown' }]]
    : Object.entries(changes ?? {}).filter(
        ([, { from, to, is_omitted }]) => is_omitted || !isEmpty(from) || !isEmpty(to),
      );
  if (found.length === 0) return null;
  const further = found.length - MAX_FIELDS;
  return (
    <>
      <dl class="changes">
        {found.slice(0, MAX_FIELDS).map(([name, { from, to, is_omitted }]) => (
          <div>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              {is_omitted ? (
                words.omitted
              ) : (
                <>
                  {!isEmpty(from) && (
                    <>
                      <bdi>{textOf(from)}</bdi> <span aria-hidden="true">→</span>
                      <span class="unseen">{words.arrow}</span>{' '}
                    </>
                  )}
                  <bdi>{textOf(to)}</bdi>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {further > 0 && <p class="quiet">{words.further(further)}</p>}
    </>
  );
}

/** Returns who has done something without an ID: a command, the service itself, or an earlier version of it that has not recorded it. */
function whoOf({ actor, via }: EventDto): string {
  if (!actor) return words.unknown;
  return via === null ? words.nobody : short(actor.name);
}

/** Returns the name of the resource, if the event contains it. */
function nameOf({ changes, data }: EventDto): string | undefined {
  const found = [changes?.['name'], changes?.['title']].flatMap((change) => [change?.from, change?.to]);
  return [data['name'], data['title'], ...found].find((value) => typeof value === 'string');
}

function screenOf({ resource_type, resource_id, type }: EventDto): string | undefined {
  const path = SCREENS[resource_type];
  return path === undefined || type.endsWith('.deleted') ? undefined : `${path}/${resource_id}`;
}

/** Returns a value in words, of at most {@link MAX_LENGTH} characters. */
function textOf(value: unknown): string {
  if (isEmpty(value)) return words.nothing;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return short(value.join(', '));
  if (Array.isArray(value)) return words.values(value.length);
  if (typeof value === 'object') return words.one_value;
  return typeof value === 'boolean' ? (value ? words.yes : words.no) : short(String(value));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
