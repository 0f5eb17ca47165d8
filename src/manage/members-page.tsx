import { LinkButton } from './buttons.js';
import { Summary } from './fields.js';
import { screen } from './frame.js';
import type { MemberDto } from '../members/dto/member.dto.js';
import { LinkRow } from './link-row.js';
import type { Part } from './pager.js';
import type { Reply } from './reply.js';
import { timeOf } from './times.js';
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

interface Page extends Part<MemberDto> {
  sendsMail: boolean;
  /** Place of an invitation that has just been sent. */
  invitation?: string | undefined;
}

/** Renders the members, newest first. */
export function renderMembers(visit: Visit, { rows, next, sendsMail, invitation }: Page): Reply {
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
            <LinkButton path={`${PATH}/new`} text={words.invite_title} kind="main" />
          </>
        )}
        <ul class="rows">
          {rows.map((member) => (
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
  const contents = (
    <>
      <bdi class="what">
        {name}
        {isOwn && ` (${words.you})`}
      </bdi>
      <span class="quiet">
        <bdi>{email}</bdi> · {account.roles[role]}
        {status !== 'active' && ` · ${words.statuses[status]}`} ·{' '}
        {last_seen_at ? words.seen(timeOf(last_seen_at)) : words.never_seen}
      </span>
    </>
  );
  return canWrite ? (
    <LinkRow path={`${PATH}/${id}`}>{contents}</LinkRow>
  ) : (
    <li class="row plain entry">{contents}</li>
  );
}
