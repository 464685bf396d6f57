const LENGTH_MIN = 16;
const LENGTH_MAX = 200;
const DIFFERENT_MIN = 8;

/** The rule in words, to end a sentence with. */
export const SECRET_RULE = `${LENGTH_MIN} to ${LENGTH_MAX} printable characters without spaces, at least ${DIFFERENT_MIN} of them different, not one pattern again and again`;

/**
 * Whether a secret that somebody chose cannot be guessed at the rate at which wrong ones are answered.
 * A floor, and no measure of strength: random bytes are better than anything thought up.
 */
export function isStrongSecret(text: string): boolean {
  if (text.length < LENGTH_MIN || text.length > LENGTH_MAX) return false;
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  return new Set(text).size >= DIFFERENT_MIN && !isRepetition(text);
}

/** Whether the text is one shorter text over and over: then it is inside itself, twice over, off its ends. */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}
