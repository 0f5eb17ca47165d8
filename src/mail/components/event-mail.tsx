import { Markdown } from '../../page-documents/components/text.js';
import { MAIL_WORDS, wordsOf } from '../../page-model/words.js';
import type { MailContent, MailLinks, MailPage } from '../../page-model/mail-content.js';
import type { MailSubject } from '../mail-subjects.js';
import { Button, FooterLink, Quiet, renderMail } from './mail-layout.js';

/** Gmail hides what follows after 102 kB, including the link that ends the subscription. */
const MAX_BYTES = 90_000;

/** Maximum sizes of the Markdown, which are tried in turn, because HTML is larger. */
const MAX_MARKDOWN_BYTES = [80_000, 40_000, 20_000, 10_000];

/** Renders a message about an event. Cuts a long text at a paragraph. */
export function eventMail(page: MailPage, about: MailSubject, links: MailLinks): MailContent {
  let content = render(page, about, links);
  for (const bytes of MAX_MARKDOWN_BYTES) {
    if (Buffer.byteLength(content.html) <= MAX_BYTES) break;
    content = render(page, { ...about, body: `${cut(about.body, bytes)}\n\n…` }, links);
  }
  return content;
}

/** Returns the first paragraphs of a text, or the beginning of a long first one. */
function cut(text: string, bytes: number): string {
  let length = text.length;
  while (Buffer.byteLength(text.slice(0, length)) > bytes) length = Math.floor(length * 0.95);
  const end = text.slice(0, length).lastIndexOf('\n\n');
  return text.slice(0, end > 0 ? end : length).toWellFormed();
}

function render(
  page: MailPage,
  { subject, title, sign, when, body, affected }: MailSubject,
  links: MailLinks,
): MailContent {
  const words = wordsOf(page.language);
  const mail = MAIL_WORDS[page.language];
  const html = renderMail({
    page,
    words,
    title,
    sign,
    children: (
      <>
        <Quiet>{when}</Quiet>
        <Markdown text={body} level={2} />
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
  return { subject: `[${page.name}] ${subject}`, text: `${text}\n`, html };
}
