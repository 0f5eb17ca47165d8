import { describe, expect, it } from 'vitest';
import {
  checkText,
  ChoiceList,
  Flag,
  Integer,
  inputError,
  ListOf,
  ObjectOf,
  Pattern,
  QueryFlag,
  Text,
  Time,
  Uuid,
  UuidList,
} from '../../src/platform/validation/fields.js';
import { validate } from '../../src/platform/validation/validate.js';

const EARLY = '2026-11-20T12:00:00.000Z';

class Item {
  @Text({ min: 1, max: 3, description: 'A word.' })
  word!: string;
}

const errorsOf = (dto: new () => object, input: object) => validate(dto, input, 'body').errors;

describe('@Text()', () => {
  it.each([
    ['', 'too_short', 'must have 1 to 3 characters'],
    ['abcd', 'too_long', 'must have 1 to 3 characters'],
    [' \u0085\ufeff', 'blank', 'must contain a non-whitespace character'],
    ['a\0', 'invalid_format', 'must not contain NUL or lone surrogates'],
    ['a\ud800', 'invalid_format', 'must not contain NUL or lone surrogates'],
    [5, 'invalid_type', 'must be a string'],
  ])('rejects %j: %s', (word, code, detail) => {
    expect(errorsOf(Item, { word })).toEqual([{ code, detail, pointer: '#/word' }]);
  });

  it('counts code points; a surrogate pair is one', () => {
    expect(errorsOf(Item, { word: '\u{1F680}'.repeat(3) })).toEqual([]);
    expect(errorsOf(Item, { word: '\u{1F680}'.repeat(4) })).toMatchObject([{ code: 'too_long' }]);
  });

  it('only checks the length of a text of more than twice the maximum', () => {
    for (const word of ['\0'.repeat(7), ' '.repeat(7), '\ud800'.repeat(7)])
      expect(errorsOf(Item, { word })).toMatchObject([{ code: 'too_long' }]);
    for (const word of ['\0'.repeat(6), '\ud800'.repeat(6)])
      expect(errorsOf(Item, { word })).toMatchObject([{ code: 'invalid_format' }]);
  });
});

const A = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a01';
const B = '0193f5a0-6c1e-7d3a-9b1f-2f6d1c9e4a02';

/** A field of each kind, all optional. */
class Kinds {
  @Flag({ optional: true, description: 'A flag.' })
  flag?: boolean;

  @QueryFlag({ optional: true, description: 'A flag of a query.' })
  query?: boolean;

  @Integer({ optional: true, min: 2, max: 4, description: 'A number.' })
  count?: number;

  @Pattern({ optional: true, pattern: /^#[0-9a-f]+$/, max: 4, form: 'a color', description: 'A color.' })
  color?: string;

  @Uuid({ optional: true, description: 'An id.' })
  id?: string;

  @UuidList({ optional: true, min: 1, max: 2, description: 'Ids.' })
  ids?: string[];

  @ChoiceList({ optional: true, of: ['x', 'y', 'z'], description: 'Words.' })
  words?: string[];

  @ListOf(Item, { optional: true, max: 2, description: 'Items.' })
  items?: Item[];

  @ObjectOf(Item, { optional: true, description: 'An item.' })
  item?: Item;

  @Time({ optional: true, description: 'A time.' })
  at?: Date;

  @Time({ optional: true, nullable: true, description: 'A time, or never.' })
  until?: Date | null;
}

describe('every kind of field', () => {
  const FLAG = 'must be true or false';
  const RANGE = 'must be an integer from 2 to 4';
  const TIME = 'must be a time such as 2026-11-20T12:00:00Z or 2026-11-20T13:00:00+01:00';

  it.each<[object, string, string, string]>([
    [{ flag: 'true' }, 'invalid_type', FLAG, '#/flag'],
    [{ flag: {} }, 'invalid_type', FLAG, '#/flag'],
    [{ flag: null }, 'invalid_type', FLAG, '#/flag'],
    [{ query: 'True' }, 'invalid_format', FLAG, '#/query'],
    [{ query: [] }, 'invalid_format', FLAG, '#/query'],
    [{ count: 1 }, 'out_of_range', RANGE, '#/count'],
    [{ count: 5 }, 'out_of_range', RANGE, '#/count'],
    [{ count: 2.5 }, 'out_of_range', RANGE, '#/count'],
    [{ count: Infinity }, 'out_of_range', RANGE, '#/count'],
    [{ count: '2' }, 'invalid_type', 'must be an integer', '#/count'],
    [{ count: [2] }, 'invalid_type', 'must be an integer', '#/count'],
    [{ color: 'red' }, 'invalid_format', 'must be a color', '#/color'],
    [{ color: '#abcd' }, 'invalid_format', 'must be a color', '#/color'],
    [{ color: 5 }, 'invalid_type', 'must be a string', '#/color'],
    [{ color: {} }, 'invalid_type', 'must be a string', '#/color'],
    [{ id: A.slice(1) }, 'invalid_format', 'must be a UUID', '#/id'],
    [{ id: `${A}0` }, 'invalid_format', 'must be a UUID', '#/id'],
    [{ id: `0${A}` }, 'invalid_format', 'must be a UUID', '#/id'],
    [{ id: 5 }, 'invalid_type', 'must be a string', '#/id'],
    [{ ids: A }, 'invalid_type', 'must be an array of UUIDs', '#/ids'],
    [{ ids: {} }, 'invalid_type', 'must be an array of UUIDs', '#/ids'],
    [{ ids: [] }, 'too_short', 'must have at least 1 item', '#/ids'],
    [{ ids: [A, B, A] }, 'too_long', 'must have at most 2 items', '#/ids'],
    [{ ids: [A, A.toUpperCase()] }, 'duplicate', 'must not be repeated', '#/ids/1'],
    [{ ids: [A, 5] }, 'invalid_type', 'must be a string', '#/ids/1'],
    [{ ids: [`${A} `] }, 'invalid_format', 'must be a UUID', '#/ids/0'],
    [{ words: 'x' }, 'invalid_type', 'must be an array of strings', '#/words'],
    [{ words: [] }, 'too_short', 'must have at least 1 item', '#/words'],
    [{ words: ['x', 'y', 'z', 'x'] }, 'too_long', 'must have at most 3 items', '#/words'],
    [{ words: ['x', 5] }, 'invalid_type', 'must be a string', '#/words/1'],
    [{ words: ['x', 'w'] }, 'invalid_format', 'must be one of x, y, z', '#/words/1'],
    [{ words: ['x', 'y', 'x'] }, 'duplicate', 'must not be repeated', '#/words/2'],
    [{ items: {} }, 'invalid_type', 'must be an array of objects', '#/items'],
    [{ items: 'x' }, 'invalid_type', 'must be an array of objects', '#/items'],
    [{ items: [{}, {}, {}] }, 'too_long', 'must have at most 2 items', '#/items'],
    [{ items: [{ word: 'x' }, null] }, 'invalid_type', 'must be an object', '#/items/1'],
    [{ items: [{ word: 'x' }, []] }, 'invalid_type', 'must be an object', '#/items/1'],
    [{ items: [{ word: 'x' }, {}] }, 'required', 'is required', '#/items/1/word'],
    [{ item: null }, 'invalid_type', 'must be an object', '#/item'],
    [{ item: [] }, 'invalid_type', 'must be an object', '#/item'],
    [{ item: 'x' }, 'invalid_type', 'must be an object', '#/item'],
    [{ item: { word: 5 } }, 'invalid_type', 'must be a string', '#/item/word'],
    [{ at: 5 }, 'invalid_type', 'must be a string', '#/at'],
    [{ at: null }, 'invalid_type', 'must be a string', '#/at'],
    [{ at: [] }, 'invalid_type', 'must be a string', '#/at'],
    [{ at: 'soon' }, 'invalid_format', TIME, '#/at'],
    [{ at: '2026-11-20T12:00:00+0000' }, 'invalid_format', TIME, '#/at'],
    [{ at: ` ${EARLY}` }, 'invalid_format', TIME, '#/at'],
    [{ at: `${EARLY} ` }, 'invalid_format', TIME, '#/at'],
    [{ at: '2026-11-31T12:00:00Z' }, 'invalid_format', TIME, '#/at'],
    [{ at: '2026-13-01T12:00:00Z' }, 'invalid_format', TIME, '#/at'],
    [{ until: 5 }, 'invalid_type', 'must be a string or null', '#/until'],
    [{ until: {} }, 'invalid_type', 'must be a string or null', '#/until'],
  ])('rejects %j: %s, %s', (input, code, detail, pointer) => {
    expect(errorsOf(Kinds, input)).toEqual([{ code, detail, pointer }]);
  });

  it.each<[object, object]>([
    [{}, {}],
    [{ flag: false }, { flag: false }],
    [
      { query: 'true', count: 2 },
      { query: true, count: 2 },
    ],
    [
      { query: 'false', count: 4 },
      { query: false, count: 4 },
    ],
    [{ color: '#abc' }, { color: '#abc' }],
    [
      { id: A.toUpperCase(), ids: [B.toUpperCase(), A] },
      { id: A, ids: [B, A] },
    ],
    [{ words: ['z', 'x', 'y'] }, { words: ['z', 'x', 'y'] }],
    [
      { items: [], item: { word: 'abc' } },
      { items: [], item: { word: 'abc' } },
    ],
    [
      { at: '2024-02-29T23:59:59Z', until: null },
      { at: new Date('2024-02-29T23:59:59.000Z'), until: null },
    ],
    [{ at: EARLY }, { at: new Date(EARLY) }],
    [{ at: '2026-11-20T12:00:00.1Z' }, { at: new Date('2026-11-20T12:00:00.100Z') }],
  ])('accepts %j', (input, expected) => {
    const { instance, errors } = validate(Kinds, input, 'body');
    expect([errors, { ...instance }]).toEqual([[], expected]);
  });

  it('appears in errors by its position if it is a parameter', () => {
    const query = { count: '1', ids: ['x', 'y'], more: '1' };
    expect(validate(Kinds, query, 'query').errors).toEqual([
      { code: 'repeated_parameter', detail: 'must be sent only once', parameter: 'ids' },
      { code: 'unknown_parameter', detail: 'is not a parameter of this operation', parameter: 'more' },
      { code: 'invalid_type', detail: 'must be an integer', parameter: 'count' },
    ]);
  });

  it('in a file accepts unknown neighbors and omits them', () => {
    const { instance, errors } = validate(
      Kinds,
      { flag: 1, more: { a: 1 }, item: { word: 'x', b: 1 } },
      'file',
    );
    expect(errors).toEqual([{ code: 'invalid_type', detail: FLAG, pointer: '#/flag' }]);
    expect(instance).toEqual({ flag: 1, item: { word: 'x' } });
  });

  it('reports no errors in the contents of a rejected value', () => {
    class Twins {
      @ListOf(Item, {
        max: 2,
        description: 'Items.',
        crossCheck: () => [inputError('duplicate', 'must differ')],
      })
      items!: Item[];
    }
    expect(errorsOf(Twins, { items: [{ word: 'abcd' }, {}] })).toEqual([
      { code: 'duplicate', detail: 'must differ', pointer: '#/items' },
    ]);
  });

  it('rejects an unknown name, with its JSON Pointer', () => {
    const unknown = { code: 'unknown_field', detail: 'is not a field of this operation' };
    expect(errorsOf(Kinds, { 'a/b~c': 1, item: { word: 'x', 'ü "': 1 } })).toEqual([
      { ...unknown, pointer: '#/a~1b~0c' },
      { ...unknown, pointer: '#/item/%C3%BC%20%22' },
    ]);
  });
});

describe('checkText()', () => {
  it.each([
    [5, 'invalid_type', 'must be a string'],
    ['', 'too_short', 'must have 1 to 3 characters'],
    ['abcd', 'too_long', 'must have 1 to 3 characters'],
    [' ', 'blank', 'must contain a non-whitespace character'],
    ['\0', 'invalid_format', 'must not contain NUL or lone surrogates'],
  ])('rejects %j: %s', (value, code, detail) => {
    expect(checkText(value, 1, 3)).toEqual([{ path: [], code, detail }]);
  });

  it('accepts a text within its bounds, including white space from 0 characters', () => {
    expect([checkText('abc', 1, 3), checkText('', 0, 3), checkText(' ', 0, 3)]).toEqual([[], [], []]);
  });
});
