/**
 * The rules of CONTRIBUTING.md, "Language", that a machine can check.
 *
 * `pattern` matches the mistake. `instead` is an example of it, `write` the same in plain English. `kinds` restricts a rule to some
 * kinds of text: `document`, `heading`, `cell` (of a table), `comment`, `name` (of a test), `string` (of a program), `openapi`.
 */
export const RULES = [
  // Words with a plainer or more common equivalent.
  word('anew', 'again', 'The service makes it anew.', 'The service recreates it.'),
  word('mend(s|ed|ing)?', 'fix', 'Mend Redis.', 'Fix Redis.'),
  word(
    '(go|goes|going|went) on(?! (to|the|a|disk|top)\\b)',
    'continue',
    'The service goes on.',
    'The service continues.',
  ),
  word('for good', 'permanently', 'It is deleted for good.', 'It is permanently deleted.'),
  word('at the most', 'at most', '10 at the most.', 'At most 10.'),
  word('at the latest', 'within …', 'After 2 s at the latest.', 'Within 2 s.'),
  word(
    'at once',
    'immediately, or concurrently',
    'The slug is free at once.',
    'The slug is available immediately.',
  ),
  word('look-?ups?(?<!lookups?)', 'lookup', 'A look-up of a key.', 'A key lookup.'),
  word(
    '(who|what|whom)ever',
    'anyone, any, or a noun',
    'Whoever has the link sees it.',
    'Anyone with the link can view it.',
  ),
  word(
    '(some|every|no)body',
    'anyone, or a noun such as visitors',
    'Nobody waits for it.',
    'No client waits for it.',
  ),
  word('meanwhile', 'in the meantime', 'Others wait meanwhile.', 'Others wait in the meantime.'),
  word('under way', 'in progress, in flight', 'An import is under way.', 'An import is in progress.'),
  word('herds?', 'traffic spike, cache stampede', 'The herd of visitors.', 'A traffic spike.'),
  word('folders?', 'directory', 'An empty folder.', 'An empty directory.'),
  word('processor time', 'CPU time', 'The processor time of a request.', 'The CPU time of a request.'),
  word('port for operators', 'admin server, admin port', 'The port for operators.', 'The admin port.'),
  word(
    '(kept|last good) cop(y|ies)',
    'saved copy',
    'The last good copy is served.',
    'The saved copy is served.',
  ),
  word(
    'answer(s|ed|ing)?',
    'response, respond, return',
    'The server answers 200.',
    'The server returns 200.',
  ),
  word(
    '(?<!connections? (is |was |are )?)refus(e|es|ed|ing|als?)\\b(?! (to (start|run)|(new )?connections)\\b)',
    'reject',
    'The request is refused.',
    'The request is rejected.',
  ),
  word('(is|are|was|were) not valid', 'invalid', 'The cursor is not valid.', 'The cursor is invalid.'),
  word(
    'call(s|ed|ing)? (it|them) off|called off',
    'cancel',
    'The window is called off.',
    'The window is cancelled.',
  ),
  word(
    '(is|are|was|were|while|goes|stays|remains) away(?! from)',
    'down, unavailable, unreachable',
    'Redis is away.',
    'Redis is down.',
  ),

  // Grammar that makes a reader look back.
  word(
    '(that|those) of(?= )',
    'the noun again',
    'That of the last update.',
    'Status set by the latest update.',
  ),
  word(
    '(is|are|was|has|have|gets?) none(?! of)',
    'a negated verb',
    'Without it, there is none.',
    'Disabled if unset.',
  ),
  word('of (ours|mine|theirs)', 'our, their', 'A port of ours.', 'Our port.'),
  word(
    '(says|tells)',
    'contains, describes, gives, shows',
    '`detail` says which.',
    '`detail` gives the reason.',
  ),
  {
    id: 'trailing too',
    pattern: /, too(?=[.,;:)]|$)/i,
    rule: 'Put "also" before the verb',
    instead: 'Private pages are exported, too.',
    write: 'Private pages are also exported.',
  },
  {
    id: 'status as a predicate',
    pattern: /(?<!(?:response|responses|status|statuses|code|it)\s)\b(?:is|are|be)\s+(?:an?\s+)?[45]\d\d\b/i,
    rule: 'A request fails with 404, an endpoint returns 404',
    instead: 'A private page is 404.',
    write: 'A private page returns 404.',
  },
  {
    id: 'chain of "of"',
    pattern: /\bof\s+(?:the|an?|its|their)\s+[\w-]+\s+of\s+(?:the|an?|its|their|each)\b/i,
    rule: 'Use a noun modifier or a possessive',
    instead: 'The size of the pool of the server.',
    write: "The server's pool size.",
  },
  {
    id: 'riddle colon',
    kinds: ['document', 'cell', 'openapi'],
    pattern: /[\w)`]:\s+(?:it|they|there|this|otherwise|so|you|we|he|she)\b/,
    rule: 'Write "because", "so", "if", or two sentences',
    instead: 'Keep them: they are not shown again.',
    write: 'Save them. They are shown only once.',
  },
  {
    id: 'clause as a description',
    kinds: ['comment', 'cell', 'openapi'],
    pattern: /^\s*(?:What|Who|Where|How)\s(?!to\b)[^?]*$/,
    rule: 'Begin with a noun, or with a verb such as "Returns"',
    instead: 'What a service knows of a monitor.',
    write: 'Stored report history of a monitor.',
  },
  {
    id: 'test name',
    kinds: ['name'],
    pattern:
      /^\s*(?:is|are|was|has|have|what|who|which|to|of|that|those|none|nothing|does not)\b(?! (?:an? )?(?:\w+ )?→)/i,
    rule: 'Begin with a verb such as "returns" or "rejects"',
    instead: 'is 412 if the version has changed',
    write: 'returns 412 if the version has changed',
  },
];

function word(words, better, instead, write) {
  return {
    id: words,
    pattern: new RegExp(`\\b(?:${words.replaceAll(' ', '\\s+')})\\b`.replaceAll('\\b\\b', '\\b'), 'i'),
    rule: `Write: ${better}`,
    instead,
    write,
  };
}
