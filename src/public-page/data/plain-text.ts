import { WORDS } from '../documents/words.js';

// Controls but tab and line feed, bidi controls, which can change the text around a name, and what XML does not allow.
const UNWANTED = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|\p{Noncharacter_Code_Point}|\ufeff/gu;

/**
 * Text for people without characters that change the text around it, or that XML 1.0 does not allow (section 2.2). Right-to-left
 * letters stay: they need no controls.
 */
export function plainText(text: string): string {
  return text.replaceAll(UNWANTED, '');
}

// Letters, digits, signs: not spaces, and not what is drawn as nothing, such as U+200B.
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u;

/** A name or a title as plain text. Where nothing of it could be seen, or read aloud, or be clicked, it has a name that can. */
export function plainName(name: string): string {
  const plain = plainText(name);
  return VISIBLE.test(plain) ? plain : WORDS.unnamed;
}
