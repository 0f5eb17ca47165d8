import { CORE_SCHEMA, defineMappingTag, load, mapTag, mergeTag, YAMLException } from 'js-yaml';
import { Problem } from '../platform/problems/problem.js';

const MAX_DEPTH = 100;
const MAX_MERGED_KEYS = 100_000; // 5,000 entries with 20 merged defaults each
/**
 * Maximum number of separators. 5 MiB of a real configuration contain 510,000. js-yaml uses up to 500 bytes for each, so a file
 * stays below the memory limit of its thread. A thread that exceeds it can end the process.
 */
const MAX_SEPARATORS = 600_000;
const SEPARATORS = new Set(Buffer.from('\n\r:,[{-'));
const MAX_VALUES = 1_000_000; // after alias expansion; 5 MiB of a real configuration contain less than half of it

const STRING_KEYED_MAP = defineMappingTag('tag:yaml.org,2002:map', {
  ...mapTag,
  addPair: (object, key, value) => {
    if (typeof key !== 'string') return 'a key must be a string';
    if (key === '__proto__') return 'a key must not be __proto__';
    return mapTag.addPair(object, key, value);
  },
});

// Dates and binary data stay strings. Merge keys are supported, because Gatus configurations use them.
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, STRING_KEYED_MAP);

/**
 * Parses one YAML 1.2 mapping (core schema, with merge keys) in UTF-8. The caller bounds its size. Omits keys without a value,
 * like the software that uses these files. The result shares no objects and has no cycles.
 * @throws Problem 400 `malformed_yaml` with line and column, without any content of the file
 */
export function parseYaml(bytes: Uint8Array): object {
  requireFewSeparators(bytes);
  const value = copyWithoutAliases(loadYaml(decodeUtf8(bytes)), 0, { values: 0 });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('The top level must be a mapping');
  }
  return value;
}

function requireFewSeparators(bytes: Uint8Array): void {
  let count = 0;
  for (const byte of bytes) if (SEPARATORS.has(byte)) count += 1;
  if (count > MAX_SEPARATORS)
    throw malformed(
      `The text has more than ${MAX_SEPARATORS} line breaks, colons, commas, brackets and hyphens`,
    );
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The text contains invalid UTF-8');
  }
}

function loadYaml(text: string): unknown {
  try {
    return load(text, { schema: SCHEMA, maxDepth: MAX_DEPTH, maxTotalMergeKeys: MAX_MERGED_KEYS });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const place = mark ? `Line ${mark.line + 1}, column ${mark.column + 1}: ` : '';
    throw malformed(place + redactContent(reason));
  }
}

// Removes names of tags, anchors and handles, which are in quotes or brackets, or after a colon.
function redactContent(reason: string): string {
  const ends: Record<string, number> = {
    '!<': reason.lastIndexOf('>'),
    '"': reason.lastIndexOf('"'),
    ': ': reason.length - 1,
  };
  for (const { 0: mark, index } of reason.matchAll(/!<|"|: /g)) {
    const end = ends[mark] ?? -1;
    if (end > index) return reason.slice(0, index).replace(/ $/, '') + reason.slice(end + 1);
  }
  return reason;
}

/** Copies a value and expands aliases, within limits. Aliases are references to one object, as in a YAML bomb. */
function copyWithoutAliases(value: unknown, depth: number, count: { values: number }): unknown {
  count.values += 1;
  if (count.values > MAX_VALUES)
    throw malformed(`The text has more than ${MAX_VALUES} values after alias expansion`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw malformed(`The text has more than ${MAX_DEPTH} levels after alias expansion`);
  if (Array.isArray(value)) return value.map((item) => copyWithoutAliases(item, depth + 1, count));
  const copy: Record<string, unknown> = {};
  for (const [key, content] of Object.entries(value)) {
    if (content === null) count.values += 1;
    else copy[key] = copyWithoutAliases(content, depth + 1, count);
  }
  return copy;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_yaml', { detail });
}
