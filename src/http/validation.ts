import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { CHECK, type Issue } from './fields.js';
import { type FieldError, pointerTo } from './problems.js';

const MAX_DEPTH = 16;

/**
 * Where an input came from, which decides how its fields are named in errors. A `file` is somebody else's format:
 * unlike in the others, fields that we do not know are left alone.
 */
type Source = 'body' | 'query' | 'file';

/**
 * Makes a DTO of an input, and tells every fault of it.
 * @param input is ours alone, freshly parsed: what cannot be processed is taken out of it
 */
export function check<T extends object>(
  dto: new () => T,
  input: object,
  source: Source,
): { instance: T; errors: FieldError[] } {
  const strict = source !== 'file';
  const unsafe = takeOutUnsafe(input).filter(({ code }) => strict || code !== 'unknown_field');
  const repeated = source === 'query' ? takeOutRepeated(input) : [];
  const instance = plainToInstance(dto, input);
  const found = validateSync(instance, { whitelist: strict, forbidNonWhitelisted: strict });
  const issues = [...unsafe, ...repeated, ...found.flatMap(issuesOf([]))];
  return { instance, errors: outermost(issues).map(toFieldError(source)) };
}

function toFieldError(source: Source) {
  return ({ path, code, detail }: Issue): FieldError => {
    if (source !== 'query') return { code, detail, pointer: pointerTo(path) };
    const parameter = path.join('.');
    if (code === 'unknown_field') return unknownParameter(parameter);
    return { code, detail, parameter };
  };
}

/** The error for a query parameter that the operation does not have. */
export function unknownParameter(name: string): FieldError {
  return {
    code: 'unknown_parameter',
    detail: 'is not a parameter of this operation',
    parameter: name.toWellFormed(),
  };
}

function takeOutRepeated(query: object): Issue[] {
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (!Array.isArray(value)) continue;
    issues.push({ path: [name], code: 'repeated_parameter', detail: 'must be sent once only' });
    Reflect.deleteProperty(query, name);
  }
  return issues;
}

/**
 * Takes out, and reports, what class-transformer would skip in silence or stumble over: names that every object
 * inherits (`constructor`, `__proto__`, `toString`, …), which are no field of ours, and what is nested so deep
 * that recursion would end in a stack overflow.
 */
function takeOutUnsafe(input: object): Issue[] {
  const issues: Issue[] = [];
  const open: { value: object; path: string[] }[] = [{ value: input, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [key, inner] of Object.entries(next.value)) {
      const path = [...next.path, key];
      const isInner = typeof inner === 'object' && inner !== null;
      if (key in Object.prototype) {
        issues.push({ path, code: 'unknown_field', detail: 'is not a field that can be sent here' });
        Reflect.deleteProperty(next.value, key);
      } else if (isInner && path.length > MAX_DEPTH) {
        issues.push({ path, code: 'invalid_type', detail: `is nested more than ${MAX_DEPTH} levels deep` });
        Reflect.deleteProperty(next.value, key);
      } else if (isInner) {
        open.push({ value: inner, path });
      }
    }
  }
  return issues;
}

/** The issues that class-validator found, with their paths. */
function issuesOf(parent: string[]) {
  return ({ property, constraints = {}, children = [] }: ValidationError): Issue[] => {
    const path = [...parent, property];
    const own: Issue[] = [];
    if (constraints['whitelistValidation']) {
      own.push({ path, code: 'unknown_field', detail: 'is not a field that can be sent here' });
    }
    const found = constraints[CHECK];
    if (found) own.push(...parseIssues(found).map((one) => ({ ...one, path: [...path, ...one.path] })));
    return own.concat(children.flatMap(issuesOf(path)));
  };
}

function parseIssues(message: string): Issue[] {
  const issues: Issue[] = JSON.parse(message);
  return issues;
}

/** One issue a place, and none inside of a place that is itself at fault. */
function outermost(issues: Issue[]): Issue[] {
  const first = new Map(issues.toReversed().map((one) => [keyOf(one), one]));
  return issues.filter((one) => {
    const inside = one.path.some((_, depth) => first.has(keyOf({ path: one.path.slice(0, depth) })));
    return !inside && first.get(keyOf(one)) === one;
  });
}

function keyOf({ path }: Pick<Issue, 'path'>): string {
  return JSON.stringify(path.map(String));
}
