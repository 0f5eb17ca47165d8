import { Markdown } from '../../public-page/components/text.js';
import { wordsOf } from '../../public-page/languages/languages.js';
import { eventText } from '../event-text.js';
import { MAIL_WORDS } from '../languages/mail-words.js';
import type { MailContent, MailLinks, MailPage, MailSubject } from '../mail-content.js';
import { Button, FooterLink, Quiet, renderMail } from './mail-layout.js';

/** Renders a message about an event of an incident or a maintenance window. */
export function eventMail(page: MailPage, about: MailSubject, links: MailLinks): MailContent {
  const words = wordsOf(page.language);
  const mail = MAIL_WORDS[page.language];
  const { title, when, body, affected } = eventText(page, about);
  const html = renderMail({
    page,
    words,
    title,
    children: (
      <>
        <Quiet>{when}</Quiet>
        {body !== '' && <Markdown text={body} level={2} />}
        {affected !== '' && <p style="margin:12px 0 0">{affected}</p>}
        {links.subject !== undefined && (
          <Button page={page} href={links.subject}>
            {mail.see_details}
          </Button>
        )}
      </>
    ),
    footer: (
      <>
        {mail.reason(page.name)}
        <FooterLink href={links.manage}>{mail.manage}</FooterLink>
      </>
    ),
  });
  const text = [
    title,
    when,
    body,
    affected,
    links.subject === undefined ? '' : `${mail.see_details}:\n${links.subject}`,
    `-- \n${mail.reason(page.name)}\n${mail.manage}:\n${links.manage}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
  return { subject: `[${page.name}] ${title}`, text: `${text}\n`, html };
}
