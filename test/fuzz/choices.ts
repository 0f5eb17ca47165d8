import * as fc from 'fast-check';

/**
 * A source of values for a property that needs them one after the other, because each request depends on earlier
 * responses. The same seed selects the same values. Shrinking is disabled because it would not be meaningful.
 *
 * ```ts
 * fc.asyncProperty(choices(), async (choose) => send(choose.from(fc.string())))
 * ```
 */
export class Choices {
  constructor(
    private readonly random: fc.Random,
    private readonly bias: number | undefined,
  ) {}

  /** A value of an arbitrary. */
  from<T>(arbitrary: fc.Arbitrary<T>): T {
    return arbitrary.generate(this.random, this.bias).value;
  }

  /** True in `percent` of 100 cases. */
  chance(percent: number): boolean {
    return this.random.nextInt(0, 99) < percent;
  }

  integer(least: number, most: number): number {
    return this.random.nextInt(least, most);
  }

  /** One of the items. */
  one<T>(values: readonly T[]): T {
    const value = values[this.random.nextInt(0, values.length - 1)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }
}

class ChoicesArbitrary extends fc.Arbitrary<Choices> {
  override generate(random: fc.Random, bias: number | undefined): fc.Value<Choices> {
    return new fc.Value(new Choices(random, bias), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Choices {
    return false;
  }

  override shrink(): fc.Stream<fc.Value<Choices>> {
    return fc.Stream.nil();
  }
}

export function choices(): fc.Arbitrary<Choices> {
  return new ChoicesArbitrary();
}
