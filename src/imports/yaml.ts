import { CORE_SCHEMA, defineMappingTag, load, mapTag, mergeTag, YAMLException } from 'js-yaml';
import { Problem } from '../problems/problem.js';

const MAX_DEPTH = 100;
const MAX_MERGED_KEYS = 100_000; // 5,000 entries that take 20 defaults each
const MAX_VALUES = 1_000_000; // with what aliases stand for; 5 MiB of a real configuration have less than half of it

const STRING_KEYED_MAP = defineMappingTag('tag:yaml.org,2002:map', {
  ...mapTag,
  addPair: (object, key, value) => {
    if (typeof key !== 'string') return 'a key must be a string';
    if (key === '__proto__') return 'a key must not be __proto__';
    return mapTag.addPair(object, key, value);
  },
});

// No dates and no binary, so that what looks like a date stays a string. Merge keys, because Gatus's users need them.
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, STRING_KEYED_MAP);

/**
 * Reads one YAML 1.2 mapping (core schema, with merge keys) in UTF-8, of a size that the caller has bounded. Keys without
 * a value are left out, as the programs do whose configuration it is. Nothing in the answer is shared, or leads in a circle.
 * @throws Problem 400 `malformed_yaml` with line and column, and nothing of the content
 */
export function parseYaml(bytes: Uint8Array): object {
  const value = unshared(loadYaml(decodeUtf8(bytes)), 0, { values: 0 });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The top level must be a mapping');
  }
  return value;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The text is not valid UTF-8');
  }
}

function loadYaml(text: string): unknown {
  try {
    return load(text, { schema: SCHEMA, maxDepth: MAX_DEPTH, maxTotalMergeKeys: MAX_MERGED_KEYS });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const place = mark ? `Line ${mark.line + 1}, column ${mark.column + 1}: ` : '';
    throw malformed(place + withoutContent(reason));
  }
}

// Names of tags, anchors and handles stand in quotes or brackets, or after a colon.
function withoutContent(reason: string): string {
  return reason.replace(/ ?(?:!<[^]*>|"[^]*"|: [^]*)/, '');
}

/** A copy in which nothing is shared: aliases stand for one and the same object, which is what a bomb is made of. */
function unshared(value: unknown, depth: number, count: { values: number }): unknown {
  count.values += 1;
  if (count.values > MAX_VALUES)
    throw malformed(`The text has more than ${MAX_VALUES} values after alias expansion`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw malformed(`The text has more than ${MAX_DEPTH} levels after alias expansion`);
  if (Array.isArray(value)) return value.map((item) => unshared(item, depth + 1, count));
  const copy: Record<string, unknown> = {};
  for (const [key, content] of Object.entries(value)) {
    if (content === null) count.values += 1;
    else copy[key] = unshared(content, depth + 1, count);
  }
  return copy;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_yaml', { detail });
}
