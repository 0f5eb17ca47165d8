import { PartialType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsOptional,
  IsString,
  registerDecorator,
  ValidateNested,
} from 'class-validator';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  After,
  Choice,
  Flag,
  Future,
  ListOf,
  Text,
  Time,
  UuidList,
} from '../../src/platform/validation/fields.js';
import { validate } from '../../src/platform/validation/validate.js';

const [EARLY, LATE] = ['2026-11-20T12:00:00.000Z', '2026-11-20T12:00:00.001Z'];

class Item {
  @Text({ min: 1, max: 3, description: 'A word.' })
  word!: string;
}

class Window {
  @Text({ min: 1, max: 3, description: 'Its name.' })
  name!: string;

  @Time({ description: 'When it starts.' })
  starts_at!: Date;

  @Time({ description: 'When it ends.', nullable: true })
  @After('starts_at')
  ends_at!: Date | null;

  @UuidList({ max: 2, description: 'What it concerns.' })
  ids!: string[];

  @ListOf(Item, { max: 2, description: 'What is said.' })
  items!: Item[];

  @Flag({ description: 'Whether it is announced.' })
  announced!: boolean;
}

class WindowPatch extends PartialType(PickType(Window, ['name', 'starts_at', 'ends_at', 'items', 'ids'])) {}

const errorsOf = (dto: new () => object, input: object) => validate(dto, input, 'body').errors;

describe('PartialType of a DTO', () => {
  it('makes each field optional but not nullable', () => {
    expect(errorsOf(WindowPatch, {})).toEqual([]);
    const nulls = { name: null, starts_at: null, ends_at: null, items: null, ids: null };
    expect(errorsOf(WindowPatch, nulls)).toEqual([
      { code: 'invalid_type', detail: 'must be a string', pointer: '#/name' },
      { code: 'invalid_type', detail: 'must be a string', pointer: '#/starts_at' },
      { code: 'invalid_type', detail: 'must be an array of UUIDs', pointer: '#/ids' },
      { code: 'invalid_type', detail: 'must be an array of objects', pointer: '#/items' },
    ]);
  });

  it('keeps the rules for lists and their items', () => {
    const { instance, errors } = validate(WindowPatch, { items: [{ word: 'abc' }] }, 'body');
    expect([errors, instance.items?.[0]]).toEqual([[], expect.any(Item)]);
    const bad = { ids: ['x'], items: [{ word: 'abc' }, { word: 'abcd', more: 1 }] };
    expect(errorsOf(WindowPatch, bad)).toMatchObject([
      { code: 'invalid_format', pointer: '#/ids/0' },
      { code: 'unknown_field', pointer: '#/items/1/more' },
      { code: 'too_long', pointer: '#/items/1/word' },
    ]);
    expect(errorsOf(WindowPatch, { items: [{}, {}, {}] })).toMatchObject([
      { code: 'too_long', pointer: '#/items' },
    ]);
  });

  it('keeps the rules of the original DTO unchanged', () => {
    expect(errorsOf(Window, {}).map(({ code, pointer }) => [code, pointer])).toEqual(
      ['name', 'starts_at', 'ends_at', 'ids', 'items', 'announced'].map((name) => ['required', `#/${name}`]),
    );
  });
});

describe('@IsOptional() on a field of this service', () => {
  class Optional {
    @IsOptional()
    @Text({ min: 1, max: 3, description: 'A word.' })
    word?: string;
  }

  it('lets the field be absent, but not null', () => {
    expect(errorsOf(Optional, {})).toEqual([]);
    expect(errorsOf(Optional, { word: null })).toMatchObject([{ code: 'invalid_type' }]);
  });
});

describe('@Time()', () => {
  it('converts the value to a Date', () => {
    expect(validate(WindowPatch, { starts_at: EARLY }, 'body').instance).toEqual({
      starts_at: new Date(EARLY),
    });
  });

  it('accepts any offset', () => {
    const { instance, errors } = validate(WindowPatch, { starts_at: '2026-11-20T13:00:00+01:00' }, 'body');
    expect([instance, errors]).toEqual([{ starts_at: new Date('2026-11-20T12:00:00Z') }, []]);
  });

  it.each([
    [5, 'invalid_type'],
    [{}, 'invalid_type'],
    ['2026-02-30T12:00:00Z', 'invalid_format'],
    ['2026-11-20T12:00:00', 'invalid_format'],
    ['2026-11-20', 'invalid_format'],
    ['', 'invalid_format'],
  ])('rejects %j: %s', (starts_at, code) => {
    expect(errorsOf(WindowPatch, { starts_at })).toMatchObject([{ code, pointer: '#/starts_at' }]);
  });

  it('rejects a past time with @Future(), after checking the format', () => {
    class Deadline {
      @Time({ description: 'When it ends.' })
      @Future()
      at!: Date;
    }
    expect(errorsOf(Deadline, { at: '2020-01-01T00:00:00Z' })).toMatchObject([{ code: 'out_of_range' }]);
    expect(errorsOf(Deadline, { at: 'soon' })).toMatchObject([{ code: 'invalid_format' }]);
    expect(errorsOf(Deadline, { at: '9999-01-01T00:00:00Z' })).toEqual([]);
  });
});

describe('@Future()', () => {
  class Deadline {
    @Time({ description: 'When it ends.' })
    @Future()
    at!: Date;
  }

  afterEach(() => vi.useRealTimers());

  it('rejects the present moment and accepts the next millisecond', () => {
    vi.useFakeTimers({ now: new Date(EARLY), toFake: ['Date'] });
    expect(errorsOf(Deadline, { at: EARLY })).toEqual([
      { code: 'out_of_range', detail: 'must be in the future', pointer: '#/at' },
    ]);
    expect(errorsOf(Deadline, { at: LATE })).toEqual([]);
  });
});

describe('@Type()', () => {
  it('can select the class by the name of the field', () => {
    class Varied {
      @ValidateNested()
      @Type((options) => (options?.property === 'inner' ? Item : Object))
      inner!: Item;
    }
    expect(errorsOf(Varied, { inner: { word: 'abc' } })).toEqual([]);
    expect(errorsOf(Varied, { inner: { word: 'abcd', more: 1 } })).toMatchObject([
      { code: 'unknown_field', pointer: '#/inner/more' },
      { code: 'too_long', pointer: '#/inner/word' },
    ]);
  });
});

describe('@Choice()', () => {
  class Rating {
    @Choice({ of: ['minor', 'major'], description: 'How bad it is.' })
    impact!: string;

    @Choice({ of: ['minor', 'major'], nullable: true, optional: true, description: 'What was said.' })
    set?: string | null;
  }

  it('accepts each of its words, and null if allowed', () => {
    expect(errorsOf(Rating, { impact: 'minor', set: 'major' })).toEqual([]);
    expect(errorsOf(Rating, { impact: 'major', set: null })).toEqual([]);
  });

  it.each([
    [undefined, 'required', 'is required'],
    [null, 'invalid_type', 'must be a string'],
    [5, 'invalid_type', 'must be a string'],
    [['minor'], 'invalid_type', 'must be a string'],
    ['Minor', 'invalid_format', 'must be one of minor, major'],
    ['', 'invalid_format', 'must be one of minor, major'],
    ['constructor', 'invalid_format', 'must be one of minor, major'],
  ])('rejects %j: %s', (impact, code, detail) => {
    expect(errorsOf(Rating, { impact })).toEqual([{ code, detail, pointer: '#/impact' }]);
  });
});

describe('@After()', () => {
  it.each([[{ starts_at: EARLY, ends_at: EARLY }], [{ starts_at: LATE, ends_at: EARLY }]])(
    'rejects %j',
    (input) => {
      expect(errorsOf(WindowPatch, input)).toEqual([
        { code: 'out_of_range', detail: 'must be after starts_at', pointer: '#/ends_at' },
      ]);
    },
  );

  it.each([
    [{ starts_at: EARLY, ends_at: LATE }],
    [{ starts_at: EARLY }],
    [{ ends_at: EARLY }],
    [{ starts_at: EARLY, ends_at: null }],
  ])('accepts %j, because the other time is stored or missing', (input) => {
    expect(errorsOf(WindowPatch, input)).toEqual([]);
  });

  it('reports no error if one of the two is not a time', () => {
    expect(errorsOf(WindowPatch, { starts_at: 'x', ends_at: EARLY })).toMatchObject([
      { code: 'invalid_format', pointer: '#/starts_at' },
    ]);
  });
});

describe("list with class-validator's decorators", () => {
  it.each([
    ['each', 1_000, [IsOptional(), IsString({ each: true })]],
    ['@IsArray()', 1_000, [IsArray()]],
    ['@ArrayNotEmpty()', 1_000, [ArrayNotEmpty()]],
    ['@ArrayMaxSize(2)', 2, [ArrayMaxSize(2)]],
  ])('requires a bound: %s allows at most %i items', (_name, max, decorators) => {
    class Loose {
      words: unknown;
    }
    for (const decorate of decorators) decorate(Loose.prototype, 'words');
    expect(errorsOf(Loose, { words: Array.from({ length: max }, () => 'x') })).toEqual([]);
    expect(errorsOf(Loose, { words: Array.from({ length: max + 1 }, () => 'x') })).toEqual([
      { code: 'too_long', detail: `must have at most ${max} items`, pointer: '#/words' },
    ]);
  });

  it('accepts only arrays', () => {
    class Typed {
      @Allow()
      list?: string[];

      @IsOptional()
      @IsString()
      text?: string;
    }
    const many = Array.from({ length: 1_001 }, () => 'x');
    expect(errorsOf(Typed, { list: many, text: many })).toEqual([
      { code: 'too_long', detail: 'must have at most 1000 items', pointer: '#/list' },
      { code: 'invalid_type', detail: 'must be a string', pointer: '#/text' },
    ]);
  });
});

describe('asynchronous validator', () => {
  it('causes an error with its name instead of being ignored', () => {
    class Slow {
      word!: string;
    }
    registerDecorator({
      name: 'isSlow',
      target: Slow,
      propertyName: 'word',
      async: true,
      validator: { validate: async () => false },
    });
    expect(() => validate(Slow, {}, 'body')).toThrow('Slow.word: asynchronous validators');
  });
});
