import { MAIL_WORDS, wordsOf } from '../../page-model/words.js';
import type { MailContent, MailPage } from '../../page-model/mail-content.js';
import { Button, renderMail } from './mail-layout.js';

/** Renders the message that asks to confirm a subscription. */
export function confirmationMail(page: MailPage, link: string): MailContent {
  const mail = MAIL_WORDS[page.language];
  return render(page, {
    title: mail.confirm_subject,
    text: mail.confirm_text(page.name),
    link,
    label: mail.confirm,
    footer: mail.ignore,
  });
}

/** Renders the message to an address that has subscribed already. */
export function subscribedMail(page: MailPage, link: string): MailContent {
  const mail = MAIL_WORDS[page.language];
  return render(page, {
    title: mail.subscribed_subject,
    text: mail.subscribed_text(page.name),
    link,
    label: mail.manage,
  });
}

/** Renders the message with a link that shows a private page. */
export function accessMail(page: MailPage, link: string): MailContent {
  const mail = MAIL_WORDS[page.language];
  return render(page, {
    title: mail.access_subject,
    text: mail.access_text(page.name),
    link,
    label: mail.access,
    footer: mail.access_ignore,
  });
}

interface Texts {
  title: string;
  text: string;
  link: string;
  label: string;
  footer?: string;
}

function render(page: MailPage, { title, text, link, label, footer }: Texts): MailContent {
  const html = renderMail({
    page,
    words: wordsOf(page.language),
    title,
    children: (
      <>
        <p style="margin:0">{text}</p>
        <Button page={page} href={link}>
          {label}
        </Button>
      </>
    ),
    footer,
  });
  const parts = [title, text, `${label}:\n${link}`, footer ?? ''].filter((part) => part !== '');
  return { subject: `[${page.name}] ${title}`, text: `${parts.join('\n\n')}\n`, html };
}
