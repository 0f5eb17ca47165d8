import { ROLES } from '../members/roles.js';
import { AllOrSome } from './all-or-some.js';
import { SubmitButton } from './buttons.js';
import type { Errors, Labels } from './errors-of-fields.js';
import { Check, Group, Summary, TextField, Token } from './fields.js';
import { screen } from './frame.js';
import type { MemberDto } from '../members/dto/member.dto.js';
import type { OwnProject } from './project-contents.js';
import type { Reply } from './reply.js';
import { FormKeys } from './resource-form.js';
import type { Visit } from './visit.js';
import { WORDS } from './words.js';

const { members: words, account } = WORDS;

/** Labels of a member's fields. */
export const MEMBER_LABELS: Labels = {
  email: words.email,
  name: words.name,
  role: words.role,
  project_ids: words.projects,
};

/** Values in the form of a member. `project_ids`: null for all projects. */
export interface MemberValues {
  email: string;
  name: string;
  role: string;
  project_ids: string[] | null;
}

/** Returns the sent values of a form. */
export function readMember(sent: URLSearchParams): MemberValues {
  return {
    email: (sent.get('email') ?? '').trim(),
    name: (sent.get('name') ?? '').trim(),
    role: sent.get('role') ?? '',
    project_ids: sent.get('projects') === 'all' ? null : sent.getAll('project_ids'),
  };
}

interface FormPage {
  values: MemberValues;
  /** Projects that the visiting member sees, at most the newest ones. */
  projects: OwnProject[];
  errors?: Errors | undefined;
}

/** Renders the form of an invitation. */
export function renderInvitation(visit: Visit, { values, projects, errors }: FormPage): Reply {
  return screen({
    title: words.invite_title,
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb />
        <h1>{words.invite_title}</h1>
        <form class="form" method="post" action="/manage/members">
          <FormKeys visit={visit} />
          <Summary text={errors?.['form']} />
          <TextField name="email" type="email" label={words.email} value={values.email} errors={errors} />
          <Fields visit={visit} values={values} projects={projects} errors={errors} />
          <SubmitButton text={words.invite} />
        </form>
      </>
    ),
  });
}

/** Renders a member with the forms that change it. `isChanged`: another member has changed it since the form was opened. */
export function renderMember(
  visit: Visit,
  {
    member,
    isChanged = false,
    canMail,
    values,
    projects,
    errors,
  }: FormPage & { member: MemberDto; isChanged?: boolean; canMail: boolean },
): Reply {
  const path = `/manage/members/${member.id}`;
  const isDisabled = member.status === 'disabled';
  return screen({
    title: member.name,
    visit,
    status: isChanged ? 409 : errors ? 400 : 200,
    children: (
      <>
        <Crumb />
        <h1>
          <bdi>{member.name}</bdi>
        </h1>
        <p class="quiet">
          <bdi>{member.email}</bdi> · {account.roles[member.role]} · {words.statuses[member.status]}
        </p>
        <form class="form" method="post" action={path}>
          <Token visit={visit} />
          <Version member={member} />
          <Summary text={isChanged ? words.changed : errors?.['form']} />
          <Fields visit={visit} values={values} projects={projects} errors={errors} />
          <p>{member.id === visit.actor.id ? words.own_hint : words.rights_hint}</p>
          <SubmitButton text={words.save} />
        </form>
        <section>
          <h2>{words.access}</h2>
          {!isDisabled && <p>{canMail ? words.link_hint : words.no_mail}</p>}
          <div class="actions">
            {!isDisabled && canMail && (
              <form method="post" action={`${path}/link`}>
                <Token visit={visit} />
                <button class="button plain" type="submit">
                  {words.link}
                </button>
              </form>
            )}
            <form method="post" action={`${path}/status`}>
              <Token visit={visit} />
              <Version member={member} />
              <button
                class="button plain"
                name="status"
                value={isDisabled ? 'active' : 'disabled'}
                type="submit"
              >
                {isDisabled ? words.enable : words.disable}
              </button>
            </form>
            <a class="button danger" href={`${path}/delete`}>
              {words.delete}
            </a>
          </div>
        </section>
      </>
    ),
  });
}

/** Asks whether to delete a member. */
export function renderDeletion(visit: Visit, member: MemberDto, errors?: Errors): Reply {
  const path = `/manage/members/${member.id}`;
  return screen({
    title: words.delete_title(member.name),
    visit,
    status: errors ? 400 : 200,
    children: (
      <>
        <Crumb />
        <h1>
          <bdi>{words.delete_title(member.name)}</bdi>
        </h1>
        <p class="quiet">
          <bdi>{member.email}</bdi> · {account.roles[member.role]}
        </p>
        <form class="form" method="post" action={`${path}/delete`}>
          <Token visit={visit} />
          <Version member={member} />
          <Summary text={errors?.['form']} />
          <p>{words.delete_text}</p>
          <div class="actions">
            <button class="button danger" name="step" value="delete" type="submit">
              {words.delete}
            </button>
            <a class="button plain" href={path}>
              {words.cancel}
            </a>
          </div>
        </form>
      </>
    ),
  });
}

function Version({ member }: { member: MemberDto }) {
  return <input type="hidden" name="updated_at" value={member.updated_at.toISOString()} />;
}

function Crumb() {
  return (
    <p class="crumb">
      <a href="/manage/members">{words.title}</a>
    </p>
  );
}

/** Renders name, role and projects. A member who sees only some projects cannot choose all. */
function Fields({ visit, values, projects, errors }: FormPage & { visit: Visit }) {
  const chosen = values.project_ids ?? [];
  const further = chosen.filter((id) => !projects.some((project) => project.id === id));
  return (
    <>
      <TextField name="name" label={words.name} value={values.name} errors={errors} />
      <Group name="role" label={words.role} errors={errors}>
        {ROLES.map((role) => (
          <Role role={role} checked={role === values.role} />
        ))}
      </Group>
      <Group name="project_ids" label={words.projects} hint={words.projects_hint} errors={errors}>
        <AllOrSome
          name="projects"
          all={visit.actor.project_ids === null ? words.all_projects : undefined}
          some={words.some_projects}
          isAll={values.project_ids === null}
        >
          {projects.map(({ id, name }) => (
            <Check name="project_ids" value={id} label={name} checked={chosen.includes(id)} />
          ))}
        </AllOrSome>
        {further.map((id) => (
          <input type="hidden" name="project_ids" value={id} />
        ))}
        {further.length > 0 && <p>{words.further_projects(further.length)}</p>}
      </Group>
    </>
  );
}

/** Renders a role, with what it adds to the role before. */
function Role({ role, checked }: { role: MemberDto['role']; checked: boolean }) {
  return (
    <label class="check">
      <input type="radio" name="role" value={role} checked={checked} />
      <span>
        <b>{account.roles[role]}</b> <span class="quiet">{words.role_adds[role]}</span>
      </span>
    </label>
  );
}
