import { createHash } from 'node:crypto';

/** A message to one subscriber. */
export interface MailMessage {
  /** Address of the subscriber. */
  to: string;
  /** Name of the page: the name of the sender, if `MAIL_FROM` is an address alone. */
  page_name: string;
  subject: string;
  text: string;
  html: string;
  /** Identifies the message: the same at each attempt, such as the event and the subscriber. */
  key: string;
  /** Identifies the thread, such as the incident and the subscriber; undefined: none. */
  thread?: string | undefined;
  /** Link that ends the subscription, for List-Unsubscribe; undefined before the confirmation. */
  unsubscribe?: string | undefined;
  /** Whether the mail is for one person, who has just requested it, and not for subscribers. */
  isReply?: true;
}

/** Returns a text as one line without control characters, for a header. */
export function headerText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** Returns a stable message ID. It does not reveal the key. */
export function messageIdOf(key: string, domain: string): string {
  return `<${createHash('sha256').update(key).digest('hex').slice(0, 40)}@${domain}>`;
}

/**
 * Returns the options of nodemailer for a message.
 * @param domain of the message ID
 */
export function toNodemailer(message: MailMessage, from: string, domain: string) {
  const { to, page_name, subject, text, html, key, thread, unsubscribe, isReply } = message;
  const root = thread === undefined ? undefined : messageIdOf(`thread:${thread}`, domain);
  return {
    from: addressOf(from) === from ? { name: headerText(page_name), address: from } : from,
    to: { name: '', address: to },
    envelope: { from: addressOf(from), to: [to] },
    subject: headerText(subject),
    text,
    html,
    messageId: messageIdOf(key, domain),
    ...(root !== undefined && { inReplyTo: root, references: [root] }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(!isReply && { Precedence: 'bulk' }),
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Returns the address of `MAIL_FROM`. */
export function addressOf(mailbox: string): string {
  return /<([^<>]+)>$/.exec(mailbox)?.[1] ?? mailbox;
}

/** An address that cannot be written to a header or an SMTP command. */
const UNSAFE_ADDRESS = /[\s\p{Cc}<>,;"()]/u;

/** Returns whether an address can be sent to. Stored addresses are valid; this is the second line of defence. */
export function isSafeAddress(address: string): boolean {
  return !UNSAFE_ADDRESS.test(address) && /^[^@]+@[^@]+$/.test(address);
}
