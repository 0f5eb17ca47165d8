import MarkdownIt from 'markdown-it';

/** Notation of a chat. Each function gets escaped text. */
export interface MarkdownStyle {
  escape(text: string): string;
  /** Returns a link. `text` is escaped, `url` is not. */
  link(url: string, text: string): string;
  strong: string;
  emphasis: string;
  code: string;
}

/** Only absolute links, as on the page. */
const ALLOWED_LINK = /^(https?|mailto):/i;

const parser = new MarkdownIt({ html: false, linkify: true }).disable(['image', 'table']);
parser.validateLink = (url) => ALLOWED_LINK.test(url.trim());
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

type Token = ReturnType<typeof parser.parse>[number];

/** Returns Markdown in another notation: paragraphs, lists, code and links. Headings become bold lines. */
export function convertMarkdown(text: string, style: MarkdownStyle): string {
  let result = '';
  /** The number of the next item of each open list; null: bullets. */
  const lists: (number | null)[] = [];
  /** Sign of the list item that begins; an empty string within an item or a paragraph. */
  let sign = '';
  let isHeading = false;
  const add = (content: string) => {
    result += `${result === '' ? '' : sign === '' ? '\n\n' : '\n'}${sign}${content}`;
    sign = '';
  };
  for (const token of parser.parse(text, {})) {
    const number = lists.at(-1) ?? null;
    switch (token.type) {
      case 'bullet_list_open':
        lists.push(null);
        break;
      case 'ordered_list_open':
        lists.push(Number(token.attrGet('start') ?? 1));
        break;
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop();
        break;
      case 'list_item_open':
        sign = `${'  '.repeat(lists.length - 1)}${number === null ? '•' : `${number}.`} `;
        if (number !== null) lists[lists.length - 1] = number + 1;
        break;
      case 'heading_open':
      case 'heading_close':
        isHeading = token.type === 'heading_open';
        break;
      case 'inline': {
        const strong = isHeading ? style.strong : '';
        const content = inlineOf(token.children ?? [], isHeading ? { ...style, strong: '' } : style);
        add(`${strong}${content}${strong}`);
        break;
      }
      case 'fence':
      case 'code_block':
        add(style.escape(token.content.trimEnd()));
        break;
      default:
    }
  }
  return result;
}

function inlineOf(tokens: Token[], style: MarkdownStyle): string {
  /** The texts of the open links, the innermost last. */
  const texts: string[] = [''];
  const urls: string[] = [];
  const add = (text: string) => {
    texts[texts.length - 1] += text;
  };
  for (const token of tokens) {
    switch (token.type) {
      case 'softbreak':
      case 'hardbreak':
        add('\n');
        break;
      case 'strong_open':
      case 'strong_close':
        add(style.strong);
        break;
      case 'em_open':
      case 'em_close':
        add(style.emphasis);
        break;
      case 'code_inline':
        add(`${style.code}${style.escape(token.content)}${style.code}`);
        break;
      case 'link_open':
        urls.push(String(token.attrGet('href') ?? ''));
        texts.push('');
        break;
      case 'link_close': {
        const text = texts.pop() ?? '';
        add(style.link(urls.pop() ?? '', text));
        break;
      }
      default:
        add(style.escape(token.content));
    }
  }
  return texts.join('');
}

/** Text without any notation, for places that show it as it is. Links show their addresses. */
export const PLAIN_STYLE: MarkdownStyle = {
  escape: (text) => text,
  link: (url, text) => (text === url || `mailto:${text}` === url ? text : `${text} (${url})`),
  strong: '',
  emphasis: '',
  code: '',
};
