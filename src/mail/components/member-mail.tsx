import type { MailContent, MailPage } from '../../page-model/mail-content.js';
import { wordsOf } from '../../page-model/words.js';
import { Button, renderMail } from './mail-layout.js';

/** Mail to members is about no status page. */
const SERVICE: MailPage = {
  name: 'Status Pages',
  slug: '',
  is_public: false,
  accent_color: '#2563eb',
  language: 'en',
  time_zone: 'UTC',
};

/** A link that signs a member in. */
export interface MemberLinkContent {
  /** Plain text. */
  organization: string;
  url: string;
}

/** Links that sign a member in, one for each organization. */
export interface MemberMail {
  links: MemberLinkContent[];
  /** URL at which a member requests another link. */
  sign_in_url: string;
}

/** Mail to a member who has requested a link. */
export function linkMail(mail: MemberMail): MailContent {
  return memberMail(mail, {
    title: 'Your link to sign in',
    text: 'To sign in, open the link below within 15 minutes. It works once.',
    footer: 'If you did not request this link, ignore this email.',
  });
}

/** Mail to a member who is invited. @param inviter plain name of the member who invites; undefined: a program */
export function invitationMail(mail: MemberMail, inviter: string | undefined): MailContent {
  const reason = inviter === undefined ? '' : `${inviter} has invited you. `;
  return memberMail(mail, {
    title: 'You are invited',
    text: `${reason}You can now manage the status pages of the organization below. Open the link within 15 minutes. It works once.`,
    footer: 'If you did not expect this invitation, ignore this email.',
  });
}

interface Texts {
  title: string;
  text: string;
  footer: string;
}

function memberMail({ links, sign_in_url }: MemberMail, { title, text, footer }: Texts): MailContent {
  const labelOf = ({ organization }: MemberLinkContent) => `Sign in to ${organization}`;
  const expired = 'Has the link expired? Ask for a new link here:';
  const html = renderMail({
    page: SERVICE,
    words: wordsOf(SERVICE.language),
    title,
    children: (
      <>
        <p style="margin:0">{text}</p>
        {links.map((link) => (
          <Button page={SERVICE} href={link.url}>
            {labelOf(link)}
          </Button>
        ))}
        <p style="margin:16px 0 0">
          {expired} <a href={sign_in_url}>{sign_in_url}</a>
        </p>
      </>
    ),
    footer,
  });
  const parts = [title, text, ...links.map((link) => `${labelOf(link)}:\n${link.url}`)];
  return {
    subject: `[${SERVICE.name}] ${title}`,
    text: `${[...parts, `${expired}\n${sign_in_url}`, footer].join('\n\n')}\n`,
    html,
  };
}
