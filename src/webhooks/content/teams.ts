import { type ChatMessage, cut, fit, MAX_AFFECTED, type Tone } from './chat-message.js';
import { convertMarkdown, PLAIN_STYLE } from './convert-markdown.js';

/** Maximum length of a message in bytes. Teams allows 28 kB. */
const MAX_BYTES = 28_000;

/** Styles of a container by the news. */
const STYLES: Record<Tone, string> = {
  good: 'good',
  warning: 'warning',
  bad: 'attention',
  neutral: 'emphasis',
};

/** Returns the body of a message for a webhook of a workflow in Microsoft Teams: an adaptive card. */
export function teamsBody(message: ChatMessage): string {
  return fit(message.body, MAX_BYTES, (body) => cardOf({ ...message, body }), Buffer.byteLength);
}

function cardOf({ source, title, when, body, affected, link, tone }: ChatMessage): string {
  const text = convertMarkdown(body, PLAIN_STYLE);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    fallbackText: `${source}: ${title}`,
    body: [
      {
        type: 'Container',
        style: STYLES[tone],
        bleed: true,
        items: [
          paragraph(source, { isSubtle: true }),
          paragraph(title, { weight: 'Bolder', size: 'Medium' }),
        ],
      },
      ...lines.map((line) => paragraph(line)),
      ...(affected === '' ? [] : [paragraph(cut(affected, MAX_AFFECTED))]),
      paragraph(when, { isSubtle: true, size: 'Small' }),
    ],
    ...(link && { actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }] }),
  };
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  });
}

/** A `TextRun` shows text as it is, unlike a `TextBlock`, which contains Markdown. */
function paragraph(text: string, style: object = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...style }] };
}
