/** Frequent passwords of at least ten characters, and the words and sequences that they repeat. In lower case, without separators. */
const COMMON = new Set([
  '1q2w3e4r5t',
  '1qaz2wsx3edc',
  'administrator',
  'changeme123',
  'changemenow',
  'football123',
  'iloveyou123',
  'iloveyou12',
  'letmein1234',
  'letmein123',
  'master1234',
  'monkey1234',
  'password01',
  'password12',
  'password123',
  'password1234',
  'password12345',
  'password123456',
  'password2024',
  'password2025',
  'password2026',
  'passwordpassword',
  'princess123',
  'qazwsxedcrfv',
  'qwerty12345',
  'qwerty123456',
  'qwertyuiop',
  'qwertyuiop123',
  'q1w2e3r4t5',
  'statuspage',
  'statuspages',
  'statuspage123',
  'sunshine123',
  'superman123',
  'test123456',
  'trustno1234',
  'welcome123',
  'welcome1234',
  'zaq12wsxcde3',
  'zxcvbnm123',
]);

const SEQUENCES = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '09876543210987654321',
];

/** Other spellings of letters. */
const LETTERS: Record<string, string> = { '@': 'a', $: 's', '!': 'i' };

/**
 * Returns whether a password is easy to guess: a frequent one, one short text again and again, a sequence, or the address.
 * @param email of the member
 */
export function isCommonPassword(password: string, email: string): boolean {
  const plain = password
    .toLowerCase()
    .replaceAll(/[@$!]/g, (letter) => LETTERS[letter] ?? letter)
    .replaceAll(/[\s._-]/g, '');
  const [local = ''] = email.split('@');
  return (
    COMMON.has(plain) ||
    new Set(plain).size < 4 ||
    SEQUENCES.some((sequence) => sequence.includes(plain)) ||
    password.toLowerCase() === email ||
    (local.length > 3 && plain.replaceAll(/\d/g, '') === local)
  );
}
