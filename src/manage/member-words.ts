import type { MemberStatus } from '../members/member.entity.js';
import type { Role } from '../members/roles.js';

const STATUS: Record<MemberStatus, string> = {
  invited: 'Invited',
  active: 'Active',
  disabled: 'Disabled',
};

/** Rights of each role, in addition to the role before. */
const ROLE_ADDS: Record<Role, string> = {
  viewer: 'Reads everything.',
  responder: 'Also publishes incidents and maintenance.',
  editor: 'Also changes pages, monitors and subscribers.',
  admin: 'Also manages members, API keys and webhooks.',
};

/** Words of the screens that manage members. */
export const MEMBER_WORDS = {
  title: 'Members',
  statuses: STATUS,
  you: 'you',
  never_seen: 'not seen yet',
  seen: (time: string) => `seen ${time}`,
  newest: 'Newest members',
  more: 'Older members',
  pages: 'Pages of the list',
  invite_title: 'Invite a member',
  invite: 'Invite',
  no_mail:
    'This server cannot send mail. Create a link on the server with the command “member link”, and hand it over.',
  name: 'Name',
  email: 'Email address',
  role: 'Role',
  role_adds: ROLE_ADDS,
  projects: 'Projects',
  projects_hint: 'The member sees nothing of other projects.',
  all_projects: 'All projects, also later ones',
  some_projects: 'Only these:',
  projects_missing: 'Choose a project, or all projects.',
  projects_both:
    'All projects are chosen, and some of them as well. Choose “Only these”, or remove the marks.',
  further_projects: (number: number) => `${number} more that this list does not contain`,
  save: 'Save',
  rights_hint: 'A change of the role or the projects signs the member out.',
  own_hint: 'This is you. A change of your role or your projects signs you out.',
  access: 'Access',
  link: 'Send a new link',
  link_hint:
    'The link signs the member in once, within 15 minutes. It goes to the address of the member only.',
  disable: 'Disable',
  enable: 'Enable',
  delete: 'Delete',
  delete_title: (name: string) => `Delete ${name}?`,
  delete_text:
    'The member is signed out, and can no longer sign in. What the member has written stays. To stop access for a while, disable the member instead.',
  cancel: 'Cancel',
  changed:
    'Another member has changed this since you opened it. Nothing has been saved. Read it, then save again.',
  invited: 'The member is invited.',
  mailed: (email: string) => `An email with a link is on its way to ${email}.`,
  written: (email: string, directory: string) =>
    `${email} is invited. This server writes mail to files: pass on the link of the newest one in ${directory}.`,
  saved: 'The member is saved.',
  deleted: 'The member is deleted.',
  link_sent: 'If the member can sign in, a new link is on its way.',
} as const;
