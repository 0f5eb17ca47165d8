import { type ChatMessage, cut, fit, MAX_AFFECTED, type Tone } from './chat-message.js';

const MAX_TITLE = 256;
const MAX_AUTHOR = 256;
const MAX_DESCRIPTION = 4_096;

const COLORS: Record<Tone, number> = { good: 0x1a7f37, warning: 0xbf8700, bad: 0xcf222e, neutral: 0x57606a };

/** Returns the body of a message for a webhook of Discord. */
export function discordBody({ source, title, when, body, affected, link, tone }: ChatMessage): string {
  const end = affected === '' ? '' : `\n\n${fit(affected, MAX_AFFECTED, escape)}`;
  const see = link ? `\n\n[${escape(link.label)}](${link.url})` : '';
  const text = fit(body, MAX_DESCRIPTION - end.length - see.length, withoutMentions);
  return JSON.stringify({
    // Mentions in the message notify no users.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        author: { name: cut(source, MAX_AUTHOR) },
        title: fit(title, MAX_TITLE, escape),
        ...(link && { url: link.url }),
        description: `${text}${end}${see}`.trim(),
        color: COLORS[tone],
        footer: { text: when },
      },
    ],
  });
}

/** Discord shows Markdown, but `<@…>`, `<#…>` and other notations of its own would show names of the server. */
function withoutMentions(text: string): string {
  return text.replaceAll(/<(?=[@#:/]|a:|t:|id:)/gi, '<\u200B').replaceAll(/@(?=everyone|here)/gi, '@\u200B');
}

/** Characters with a meaning in Discord's Markdown. */
const SPECIAL = /[\\`*_~|[\]()<>#:+.-]/g;

function escape(text: string): string {
  return withoutMentions(text).replaceAll(SPECIAL, '\\$&');
}
