import { IsString, MinLength, validateSync } from 'class-validator';
import { expect, it } from 'vitest';
import { Integer, ListOf, Text } from '../../src/platform/validation/fields.js';
import { validate } from '../../src/platform/validation/validate.js';

const codesOf = (dto: new () => object, input: object) =>
  validate(dto, input, 'body').errors.map(({ code }) => code);

it('compares a class with all classes only for the first object, also in a list', () => {
  let comparisons = 0;
  class Other {
    @IsString()
    text!: string;

    static [Symbol.hasInstance](): boolean {
      comparisons++;
      return false;
    }
  }
  class Limit {
    @Integer({ min: 1, max: 9, description: 'A limit.' })
    limit!: number;
  }
  class Limits {
    @ListOf(Limit, { max: 100, description: 'Limits.' })
    limits!: Limit[];
  }
  const limits = Array.from({ length: 100 }, () => ({ limit: 5 }));

  expect(codesOf(Limits, { limits })).toEqual([]);
  expect(Other.name).toBe('Other');
  expect(comparisons).toBeGreaterThan(0);
  expect(comparisons).toBeLessThan(10);
  comparisons = 0;
  expect(codesOf(Limits, { limits: [...limits.slice(1), { limit: 10 }] })).toEqual(['out_of_range']);
  expect(comparisons).toBe(0);
});

it('applies a validator that is added after the first object, also to classes that inherit it', () => {
  class Named {
    @IsString()
    name!: string;
  }
  class Titled extends Named {
    @Text({ min: 1, max: 9, description: 'A title.' })
    title!: string;
  }
  expect(codesOf(Named, { name: 'ab' })).toEqual([]);
  expect(codesOf(Titled, { name: 'ab', title: 'c' })).toEqual([]);

  MinLength(3)(Named.prototype, 'name');

  expect(codesOf(Named, { name: 'ab' })).toEqual(['too_short']);
  expect(codesOf(Titled, { name: 'ab', title: 'c' })).toEqual(['too_short']);
});

it('distinguishes the groups of validators', () => {
  class Grouped {
    @IsString({ groups: ['strict'] })
    @MinLength(2, { groups: ['long'] })
    text: unknown = 5;
  }
  const failed = (groups?: string[]) =>
    validateSync(new Grouped(), groups && { groups }).flatMap(({ constraints = {} }) =>
      Object.keys(constraints),
    );
  expect(failed(['strict'])).toEqual(['isString']);
  expect(failed(['long'])).toEqual(['minLength']);
  expect(failed().toSorted()).toEqual(['isString', 'minLength']);
  expect(failed(['strict'])).toEqual(['isString']);
});
