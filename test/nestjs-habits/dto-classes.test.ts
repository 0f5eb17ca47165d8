import { describe, expect, it } from 'vitest';
import { ID, useNotes } from './use-notes.js';

const NO_CONSTRUCTOR = 'must not have the key constructor';

const { server, ask, post } = useNotes();

describe("class-validator's decorators", () => {
  it('report all errors together, each with its pointer and code', async () => {
    const { status, body } = await post('', { id: 'x', title: 'abcd', stars: 0 });
    expect([status, body.code, body.detail]).toEqual([400, 'validation_failed', '3 fields are invalid']);
    expect(body.errors).toEqual([
      { code: 'invalid_format', detail: 'must be a UUID', pointer: '#/id' },
      { code: 'too_long', detail: 'must be shorter than or equal to 3 characters', pointer: '#/title' },
      { code: 'out_of_range', detail: 'must not be less than 1', pointer: '#/stars' },
    ]);
  });

  it('report a missing field as required, and a wrong type first', async () => {
    const { body } = await post('', { title: 5, nmae: 1 });
    expect(body.errors).toEqual([
      { code: 'unknown_field', detail: expect.any(String), pointer: '#/nmae' },
      { code: 'required', detail: 'is required', pointer: '#/id' },
      { code: 'invalid_type', detail: 'must be a string', pointer: '#/title' },
    ]);
  });

  it.each([
    [{ trimmed: 5 }, 'invalid_format', '#/trimmed', 'must have the documented type and format'],
    [{ trimmed: ' abcd ' }, 'too_long', '#/trimmed', 'must be shorter than or equal to 3 characters'],
    [{ email: 'x' }, 'invalid_format', '#/email', 'must be an email'],
    [{ matched: 'b' }, 'invalid_format', '#/matched', 'must match /^a.*$/ regular expression'],
    [{ choice: 'c' }, 'invalid_format', '#/choice', 'must be one of the following values: a, b'],
    [{ flag: 'true' }, 'invalid_type', '#/flag', 'must be a boolean value'],
    [{ word: 'a' }, 'too_short', '#/word', 'must be longer than or equal to 2 characters'],
    [{ word: 'abcd' }, 'too_long', '#/word', 'must be shorter than or equal to 3 characters'],
    [{ filled: '' }, 'too_short', '#/filled', 'must not be empty'],
    [{ at: 'never' }, 'invalid_type', '#/at', 'must be a Date instance'],
    [{ tags: [1] }, 'invalid_type', '#/tags', 'each item must be a string'],
    [{ tags: ['a', 'b', 'c'] }, 'too_long', '#/tags', 'must have at most 2 items'],
    [{ tags: ['a', 'a'] }, 'duplicate', '#/tags', 'must not contain duplicate items'],
    [{ meta: 'x' }, 'invalid_type', '#/meta', 'must be an object'],
    [{ line: { text: 'abcd' } }, 'too_long', '#/line/text', 'must be shorter than or equal to 3 characters'],
    [{ line: { text: 'a', more: 1 } }, 'unknown_field', '#/line/more', expect.any(String)],
    [{ line: 'x' }, 'invalid_type', '#/line', 'must be either object or array'],
    [{ line: [] }, 'invalid_type', '#/line', 'must be an object'],
    [{ lines: [{ text: 'a' }, {}] }, 'required', '#/lines/1/text', 'is required'],
    [{ lines: [null] }, 'invalid_type', '#/lines/0', 'must be an object'],
    [{ lines: {} }, 'invalid_type', '#/lines', 'must be an array of objects'],
    [{ lines: 'x' }, 'invalid_type', '#/lines', 'each item must be either object or array'],
    [{ amount: { toString: 1, valueOf: 1 } }, 'invalid_type', '#/amount', 'must not be an object'],
    [{ amount: [[{ toString: 1 }]] }, 'invalid_type', '#/amount', 'must not be an object'],
    [{ amount: [1] }, 'invalid_type', '#/amount', 'must be an integer number'],
    [{ at: { valueOf: 1, toString: 1 } }, 'invalid_type', '#/at', 'must not be an object'],
    [{ email: { constructor: 1 } }, 'invalid_format', '#/email', NO_CONSTRUCTOR],
    [{ meta: { constructor: { a: 1 } } }, 'invalid_format', '#/meta', NO_CONSTRUCTOR],
    [{ meta: { deep: [{ constructor: 1 }] } }, 'invalid_format', '#/meta', NO_CONSTRUCTOR],
    [{ tags: [{ constructor: 1 }] }, 'invalid_format', '#/tags', NO_CONSTRUCTOR],
    [{ line: { text: { constructor: 1 } } }, 'invalid_format', '#/line/text', NO_CONSTRUCTOR],
    [{ letters: 'abcd' }, 'too_long', '#/letters', 'Use 2 or 3 letters'],
    [{ letters: 'a' }, 'too_short', '#/letters', 'Use 2 or 3 letters'],
    [{ letters: 5 }, 'invalid_type', '#/letters', 'Use 2 or 3 letters'],
    [{ words: ['ab', 'abcd'] }, 'too_long', '#/words', expect.stringMatching(/^each item must be /)],
    [{ words: ['ab', 'a'] }, 'too_short', '#/words', expect.stringMatching(/^each item must be /)],
    [{ bytes: '\u{1F680}' }, 'too_long', '#/bytes', expect.any(String)],
    [{ bytes: 'a' }, 'too_short', '#/bytes', expect.any(String)],
    [{ in: [1] }, 'invalid_type', '#/in', 'each item must be a string'],
    [{ a: ['x'] }, 'invalid_type', '#/a', 'each item must be an integer number'],
    [{ coded: 'abcd' }, 'reserved', '#/coded', 'must be short'],
    [{ foreign: 'abcd' }, 'too_long', '#/foreign', 'must be shorter than or equal to 3 characters'],
    [{ both: 'abcd' }, 'too_long', '#/both', 'must be shorter than or equal to 3 characters'],
    [{ both: 'ax' }, 'invalid_format', '#/both', 'must not contain a x string'],
    [{ both: ' ' }, 'blank', '#/both', 'must contain a non-whitespace character'],
    [{ both: 1 }, 'invalid_type', '#/both', 'must be a string'],
  ])('reject %j with %s at %s', async (json, code, pointer, detail) => {
    const { status, body } = await post('/kinds', json);
    expect([status, body.errors]).toEqual([400, [{ code, detail, pointer }]]);
  });

  it('accept valid values and convert them with @Type', async () => {
    const json = {
      email: 'a@example.com',
      flag: true,
      at: '2026-11-20T12:00:00.000Z',
      tags: ['a', 'b'],
      meta: { deep: [1, null] },
      lines: [{ text: 'a' }],
      both: 'abc',
      word: null, // as @IsOptional() allows it
    };
    const { status, body } = await post('/kinds', json);
    expect([status, body.data]).toEqual([201, json]);
  });

  it.each([
    ['a list of objects', { lines: Array.from({ length: 80_000 }, () => ({})) }],
    ['a deep object', { meta: 'DEEP' }],
    ['a wide object', { meta: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [index, 0])) }],
    ['a deep object instead of a text', { email: 'DEEP' }],
  ])('reject a hostile shape quickly: %s', async (_shape, json) => {
    const deep = '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000);
    const started = performance.now();
    const { status } = await ask('/kinds', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json).replace('"DEEP"', deep),
    });
    expect([400, 413]).toContain(status);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('accept objects of 10,000 values and 32 levels, and no larger ones', async () => {
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [at, 0]));
    const deep = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    // The object is a value too.
    for (const meta of [wide(9_999), deep(32)]) expect((await post('/kinds', { meta })).status).toBe(201);
    const detail = 'must have at most 10000 values, nested at most 32 deep';
    for (const meta of [wide(10_000), deep(33)])
      expect((await post('/kinds', { meta })).body.errors).toEqual([
        { code: 'too_long', detail, pointer: '#/meta' },
      ]);
  });
});

describe('mapped types', () => {
  it('with PartialType(PickType()) accept only the picked fields, all optional', async () => {
    expect((await post('/picked', {})).body.data).toEqual({});
    const picked = { name: 'API', description: '' };
    expect((await post('/picked', picked)).body.data).toEqual(picked);
    const { body } = await post('/picked', { name: '', project_id: ID });
    expect(body.errors).toEqual([
      expect.objectContaining({ code: 'unknown_field', pointer: '#/project_id' }),
      { code: 'too_short', detail: 'must have 1 to 200 characters', pointer: '#/name' },
    ]);
  });

  it('with PartialType allow null in no field of this service', async () => {
    const { status, body } = await post('/picked', { name: null });
    expect([status, body.errors]).toEqual([
      400,
      [{ code: 'invalid_type', detail: 'must be a string', pointer: '#/name' }],
    ]);
  });

  it('with IntersectionType(OmitType(), …) accept the fields of both', async () => {
    const mapped = { name: 'API', pinned: true };
    expect((await post('/mapped', mapped)).body.data).toEqual(mapped);
    const { body } = await post('/mapped', { project_id: ID });
    expect(body.errors).toMatchObject([
      { code: 'unknown_field', pointer: '#/project_id' },
      { code: 'required', pointer: '#/name' },
      { code: 'required', pointer: '#/pinned' },
    ]);
  });

  it("with PartialType accept a DTO of class-validator's decorators", async () => {
    expect((await ask('/partial', { method: 'PATCH', json: { title: 'ab' } })).body.data).toEqual({
      title: 'ab',
    });
    const { body } = await ask('/partial', { method: 'PATCH', json: { title: 'abcd' } });
    expect(body.errors).toMatchObject([{ code: 'too_long', pointer: '#/title' }]);
  });

  it('appear in the OpenAPI document', async () => {
    const { text } = await server.ask('/openapi.json');
    const schemas: unknown = JSON.parse(text).components.schemas;
    expect(schemas).toMatchObject({
      PickedDto: {
        additionalProperties: false,
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 200 },
          description: { type: 'string', maxLength: 2_000 },
        },
      },
      MappedDto: { required: ['name', 'pinned'] },
      PartialNoteDto: { properties: { title: { type: 'string', maxLength: 3 } } },
    });
    expect(schemas).not.toHaveProperty('PickedDto.required');
  });
});
