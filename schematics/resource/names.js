const pluralize = require('pluralize');

const capitalized = ([first = '', ...rest]) => first.toUpperCase() + rest.join('');
const inPascalCase = (words) => words.map((word) => capitalized(word)).join('');
const inCamelCase = ([first, ...rest]) => first + inPascalCase(rest);

/** The name of an example id: `exampleIdFor` finds it by the path. */
const exampleKeyOf = (plural, singular) =>
  [plural.replace(/s$/, ''), plural.replace(/es$/, ''), plural.replace(/ies$/, 'y')].includes(singular)
    ? singular
    : plural;

/**
 * The forms of a name: `maintenance-notes`, `MaintenanceNote`, `maintenance_notes`, "a maintenance note", …
 * @param name of one or more words, in the singular or the plural
 * @throws Error if it cannot be a name in a path of the API
 */
exports.namesOf = (name) => {
  const given = name.replaceAll(/[\s_]+/g, '-').toLowerCase();
  if (!/^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/.test(given))
    throw new Error(
      `"${name}": a name must consist of letters, digits and hyphens, such as maintenance-notes`,
    );
  const words = given.split('-');
  const last = words.pop();
  const [singular, plural] = [
    [...words, pluralize.singular(last)],
    [...words, pluralize.plural(last)],
  ];
  const [one, many] = [singular.join(' '), plural.join(' ')];
  if (one === many) throw new Error(`"${many}" has no singular. Use another name, such as ${given}-items`);
  return {
    path: plural.join('-'),
    file: singular.join('-'),
    table: plural.join('_'),
    exampleKey: exampleKeyOf(plural.join('_'), singular.join('_')),
    type: singular.join('_'),
    variable: singular.join('_').toUpperCase(),
    Class: inPascalCase(singular),
    Classes: inPascalCase(plural),
    object: inCamelCase(singular),
    objects: inCamelCase(plural),
    one,
    many,
    Name: capitalized(one),
    Many: capitalized(many),
    aOne: `${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`,
    AOne: `${/^[aeiou]/.test(one) ? 'An' : 'A'} ${one}`,
  };
};
