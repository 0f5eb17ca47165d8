import { Summary } from './fields.js';
import { datesOf } from '../page-model/dates.js';
import { screen } from './frame.js';
import type { MemberDto } from '../members/dto/member.dto.js';
import type { Reply } from './reply.js';
import { may, type Visit } from './visit.js';
import { WORDS } from './words.js';

const { members: words, account } = WORDS;

const PATH = '/manage/members';

/** Changes that the list confirms, by the value in its query. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['invited', words.invited],
  ['saved', words.saved],
  ['deleted', words.deleted],
  ['link', words.link_sent],
]);

interface Page {
  members: MemberDto[];
  /** Cursor of the members after these. */
  next: string | null;
  sendsMail: boolean;
  /** Place of an invitation that has just been sent. */
  invitation?: string | undefined;
}

/** Renders the members, newest first. */
export function renderMembers(visit: Visit, { members, next, sendsMail, invitation }: Page): Reply {
  const canWrite = may(visit, 'members:write');
  const done = invitation ?? DONE.get(visit.query.get('done') ?? '');
  return screen({
    title: words.title,
    visit,
    children: (
      <>
        <h1>{words.title}</h1>
        <Summary text={done} role="status" />
        {canWrite && (
          <>
            {!sendsMail && <p>{words.no_mail}</p>}
            <div class="actions">
              <a class="button main" href={`${PATH}/new`}>
                {words.invite_title}
              </a>
            </div>
          </>
        )}
        <ul class="rows">
          {members.map((member) => (
            <Row member={member} isOwn={member.id === visit.actor.id} canWrite={canWrite} />
          ))}
        </ul>
        <nav class="actions" aria-label={words.pages}>
          {visit.query.has('after') && (
            <a class="button small" href={PATH}>
              {words.newest}
            </a>
          )}
          {next !== null && (
            <a class="button small" href={`${PATH}?${new URLSearchParams({ after: next })}`} rel="next">
              {words.more}
            </a>
          )}
        </nav>
      </>
    ),
  });
}

function Row({ member, isOwn, canWrite }: { member: MemberDto; isOwn: boolean; canWrite: boolean }) {
  const { id, name, email, role, status, last_seen_at } = member;
  const dates = datesOf('en', 'UTC', new Date());
  const seen = last_seen_at ?? undefined;
  const contents = (
    <>
      <bdi class="what">
        {name}
        {isOwn && ` (${words.you})`}
      </bdi>
      <span class="quiet">
        <bdi>{email}</bdi> · {account.roles[role]}
        {status !== 'active' && ` · ${words.statuses[status]}`} ·{' '}
        {seen ? words.seen(dates.relative(seen) ?? dates.time(seen)) : words.never_seen}
      </span>
    </>
  );
  return canWrite ? (
    <li class="row">
      <a href={`${PATH}/${id}`}>{contents}</a>
    </li>
  ) : (
    <li class="row plain entry">{contents}</li>
  );
}
