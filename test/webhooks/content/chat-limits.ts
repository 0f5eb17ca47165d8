/** Returns what a chat would not accept in a body, by its documentation. */
export type Validator = (body: string) => string[];

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const objectsIn = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textIn = (object: Json | undefined, name: string): string => {
  const value = object?.[name];
  return typeof value === 'string' ? value : '';
};
const objectIn = (object: Json | undefined, name: string): Json | undefined => {
  const value = object?.[name];
  return isObject(value) ? value : undefined;
};

/** Returns the fields that are too long or empty. */
const wrong = (fields: [name: string, text: string, max: number, min?: number][]): string[] =>
  fields.flatMap(([name, text, max, min = 1]) =>
    text.length < min || text.length > max
      ? [`${name} has ${text.length} characters, not ${min} to ${max}`]
      : [],
  );

/** Returns the fields of an object that the documentation does not have. */
const unknown = (name: string, object: Json | undefined, known: string[]): string[] =>
  Object.keys(object ?? {}).flatMap((key) => (known.includes(key) ? [] : [`${name}.${key} is unknown`]));

/**
 * Slack, https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and
 * https://docs.slack.dev/reference/block-kit/blocks: `text` up to 40,000 characters, up to 50 blocks; a section's text has 1 to
 * 3,000 characters, a header 1 to 150; a context has up to 10 elements. https://docs.slack.dev/messaging/formatting-message-text: only `&`, `<` and
 * `>` are special, and `<!…>`, `<@…>` and `<#…>` are mentions.
 */
export const validateSlack: Validator = (json) => {
  const body: Json = JSON.parse(json);
  const blocks = objectsIn(body['blocks']);
  const faults = [
    ...unknown('body', body, ['text', 'mrkdwn', 'blocks', 'unfurl_links', 'unfurl_media']),
    ...wrong([['text', textIn(body, 'text'), 40_000]]),
    ...(blocks.length < 1 || blocks.length > 50 ? [`${blocks.length} blocks`] : []),
  ];
  const texts = [textIn(body, 'text')];
  const check = (name: string, text: Json | undefined, max = 3_000) => {
    const isPlain = text?.['type'] === 'plain_text';
    texts.push(textIn(text, 'text'));
    faults.push(
      ...unknown(name, text, ['type', 'text', isPlain ? 'emoji' : 'verbatim']),
      ...wrong([[name, textIn(text, 'text'), max]]),
    );
    if (!isPlain && text?.['type'] !== 'mrkdwn') faults.push(`${name} is not a text`);
  };
  for (const [index, block] of blocks.entries()) {
    const elements = objectsIn(block['elements']);
    if (block['type'] === 'section') check(`block ${index}`, objectIn(block, 'text'));
    else if (block['type'] === 'header' && objectIn(block, 'text')?.['type'] === 'plain_text')
      check(`block ${index}`, objectIn(block, 'text'), 150);
    else if (block['type'] === 'context' && elements.length >= 1 && elements.length <= 10)
      for (const element of elements) check(`element of block ${index}`, element);
    else faults.push(`block ${index} is a ${String(block['type'])} with ${elements.length} elements`);
  }
  for (const text of texts) {
    if (/<[!@#]/.test(text)) faults.push(`mentions: ${text}`);
    const rest = text.replaceAll(/<(https?:|mailto:)[^<>|\s]+\|[^<>|]+>/g, '');
    if (/[<>]|&(?!amp;|lt;|gt;)/.test(rest)) faults.push(`unescaped: ${rest}`);
  }
  return faults;
};

/**
 * Discord, https://discord.com/developers/docs/resources/webhook#execute-webhook and
 * https://discord.com/developers/docs/resources/message#embed-object-embed-limits: up to 10 embeds; title 256, description
 * 4,096, author 256, footer 2,048, all together 6,000 characters; an empty `parse` suppresses all mentions.
 */
export const validateDiscord: Validator = (json) => {
  const body: Json = JSON.parse(json);
  const embeds = objectsIn(body['embeds']);
  const [embed] = embeds;
  const footer = textIn(objectIn(embed, 'footer'), 'text');
  const author = textIn(objectIn(embed, 'author'), 'name');
  const [title, description] = [textIn(embed, 'title'), textIn(embed, 'description')];
  const color = embed?.['color'];
  const url = embed?.['url'];
  return [
    ...unknown('body', body, ['embeds', 'allowed_mentions']),
    ...unknown('embed', embed, ['author', 'title', 'url', 'description', 'color', 'footer']),
    ...(embeds.length === 1 ? [] : [`${embeds.length} embeds`]),
    ...wrong([
      ['title', title, 256],
      ['description', description, 4_096, 0],
      ['author', author, 256],
      ['footer', footer, 2_048],
      ['all', title + description + author + footer, 6_000],
    ]),
    ...(JSON.stringify(body['allowed_mentions']) === '{"parse":[]}' ? [] : ['mentions are allowed']),
    ...(typeof color === 'number' && color >= 0 && color <= 0xffffff ? [] : ['color']),
    ...(url === undefined || /^https?:\/\//.test(String(url)) ? [] : ['url']),
    ...[title, description].flatMap((text) =>
      /<[@#:/]|@(everyone|here)/.test(text) ? [`mentions: ${text}`] : [],
    ),
  ];
};

/**
 * Teams, https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook and
 * https://learn.microsoft.com/connectors/teams (the trigger "When a Teams webhook request is received"): a message of up to
 * 28 kB with one attachment, an adaptive card; Teams supports cards up to version 1.5. https://adaptivecards.io/explorer: the
 * text of a TextRun is not Markdown.
 */
export const validateTeams: Validator = (json) => {
  const body: Json = JSON.parse(json);
  const attachments = objectsIn(body['attachments']);
  const [attachment] = attachments;
  const card = objectIn(attachment, 'content');
  const faults = [
    ...unknown('body', body, ['type', 'attachments']),
    ...unknown('attachment', attachment, ['contentType', 'contentUrl', 'content']),
    ...unknown('card', card, ['$schema', 'type', 'version', 'msteams', 'fallbackText', 'body', 'actions']),
    ...(Buffer.byteLength(json) <= 28_000 ? [] : [`${Buffer.byteLength(json)} bytes`]),
    ...(body['type'] === 'message' && attachments.length === 1 ? [] : ['no message with one attachment']),
    ...(attachment?.['contentType'] === 'application/vnd.microsoft.card.adaptive' ? [] : ['contentType']),
    ...(card?.['type'] === 'AdaptiveCard' && /^1\.[0-5]$/.test(textIn(card, 'version')) ? [] : ['version']),
    ...objectsIn(card?.['actions']).flatMap((action) =>
      action['type'] === 'Action.OpenUrl' && /^https?:\/\//.test(textIn(action, 'url')) ? [] : ['action'],
    ),
  ];
  const visit = (element: Json) => {
    if (element['type'] === 'Container') {
      if (!['good', 'warning', 'attention', 'emphasis'].includes(textIn(element, 'style')))
        faults.push('style');
      for (const item of objectsIn(element['items'])) visit(item);
    } else if (element['type'] === 'RichTextBlock')
      for (const run of objectsIn(element['inlines'])) {
        if (run['type'] !== 'TextRun' || textIn(run, 'text') === '')
          faults.push(`run ${JSON.stringify(run)}`);
        faults.push(...unknown('run', run, ['type', 'text', 'weight', 'size', 'isSubtle']));
      }
    else faults.push(`a ${String(element['type'])}`);
  };
  const elements = objectsIn(card?.['body']);
  if (elements.length === 0) faults.push('no elements');
  for (const element of elements) visit(element);
  return faults;
};

export const VALIDATORS = { slack: validateSlack, discord: validateDiscord, teams: validateTeams };
