const LENGTH_MIN = 16;
const LENGTH_MAX = 200;
const DIFFERENT_MIN = 8;

/** The rule in words, as the end of a sentence. */
export const SECRET_RULE = `${LENGTH_MIN} to ${LENGTH_MAX} printable characters without spaces, at least ${DIFFERENT_MIN} of them different, not one pattern again and again`;

/**
 * Whether a chosen secret cannot be guessed at the rate at which wrong attempts are answered. A
 * minimum requirement, not a measure of strength: random bytes are better than any chosen secret.
 */
export function isStrongSecret(text: string): boolean {
  if (text.length < LENGTH_MIN || text.length > LENGTH_MAX) return false;
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  return new Set(text).size >= DIFFERENT_MIN && !isRepetition(text);
}

/**
 * Whether the text repeats a shorter text: then it occurs in its own doubling, not only at the
 * ends.
 */
function isRepetition(text: string): boolean {
  return (text + text).indexOf(text, 1) < text.length;
}
