import { type ChatMessage, cut, fit, MAX_AFFECTED } from './chat-message.js';
import { convertMarkdown, type MarkdownStyle } from './convert-markdown.js';

/** Maximum length of a section's text. */
const MAX_TEXT = 3_000;
/** Maximum length of a header. */
const MAX_HEADER = 150;

/** Slack's notation. Only `&`, `<` and `>` begin mentions and links, so that escaped text contains none. */
const MRKDWN: MarkdownStyle = {
  escape,
  link: (url, text) => linkTo(url, text),
  strong: '*',
  emphasis: '_',
  code: '`',
};

/**
 * Returns the body of a message for an incoming webhook of Slack. Names and titles are plain text, because Slack has no escape for
 * the `*`, `_`, `~` and backticks of its notation.
 */
export function slackBody({ source, title, when, body, affected, link }: ChatMessage): string {
  const details = [
    ...(affected === '' ? [] : [plain(cut(affected, MAX_AFFECTED))]),
    plain(when),
    ...(link ? [mrkdwn(linkTo(link.url, escape(link.label)))] : []),
  ];
  const text = fit(body, MAX_TEXT, (beginning) => convertMarkdown(beginning, MRKDWN));
  return JSON.stringify({
    text: escape(`${source}: ${title}`),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'section', text: plain(source) },
      { type: 'header', text: plain(title, MAX_HEADER) },
      ...(text.trim() === '' ? [] : [{ type: 'section', text: mrkdwn(text) }]),
      { type: 'context', elements: details },
    ],
  });
}

/** Even plain text needs entities for `&`, `<` and `>`. */
function plain(text: string, limit = MAX_TEXT) {
  return { type: 'plain_text', text: fit(text, limit, escape), emoji: false };
}

/** `verbatim`: Slack does not turn names such as `@here` and URLs in the text into mentions and links. */
function mrkdwn(text: string) {
  return { type: 'mrkdwn', text, verbatim: true };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function linkTo(url: string, text: string): string {
  const address = url.replaceAll(/[<>|]/g, encodeURIComponent).replaceAll('&', '&amp;');
  return `<${address}|${text.replaceAll(/[\n|]/g, ' ')}>`;
}
