const URL = { type: 'string', format: 'uri', pattern: '^https?://' };
const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };

/** Subset of JSON Feed 1.1 (jsonfeed.org/version/1.1) that status pages use. Other members are rejected. */
export const JSON_FEED_SCHEMA = {
  type: 'object',
  required: ['version', 'title', 'items'],
  additionalProperties: false,
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: TEXT,
    home_page_url: URL,
    feed_url: URL,
    description: TEXT,
    language: TEXT,
    authors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: { name: TEXT, url: URL },
      },
    },
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_html'],
        additionalProperties: false,
        properties: {
          id: { type: 'string', minLength: 1 },
          url: URL,
          title: TEXT,
          content_html: TEXT,
          date_published: TIME,
          date_modified: TIME,
        },
      },
    },
  },
};
