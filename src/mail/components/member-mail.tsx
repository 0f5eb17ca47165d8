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

/** Texts of the mail, by the reason why it is sent. */
const TEXTS = {
  invitation: {
    title: 'You are invited',
    text: 'You can now manage the status pages of the organization below. Open the link within 15 minutes. It works once. Later, request another link on the sign-in page.',
    footer: 'If you did not expect this invitation, ignore this email.',
  },
  link: {
    title: 'Your link to sign in',
    text: 'To sign in, open the link below within 15 minutes. It works once.',
    footer: 'If you did not request this link, ignore this email.',
  },
};

/** Renders the message with links that sign a member in, one for each organization. */
export function memberMail(kind: keyof typeof TEXTS, links: MemberLinkContent[]): MailContent {
  const { title, text, footer } = TEXTS[kind];
  const labelOf = ({ organization }: MemberLinkContent) => `Sign in to ${organization}`;
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
      </>
    ),
    footer,
  });
  const parts = [title, text, ...links.map((link) => `${labelOf(link)}:\n${link.url}`), footer];
  return { subject: `[${SERVICE.name}] ${title}`, text: `${parts.join('\n\n')}\n`, html };
}
