/** An address by its first and last characters: `7xKX…gAsU`. Short texts stay. */
export function shortenAddress(address: string, kept = 4): string {
  return address.length <= 2 * kept + 1
    ? address
    : `${address.slice(0, kept)}…${address.slice(-kept)}`;
}

/** Control and format characters, except line breaks and tabs: bidirectional, zero width, tags. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;
/** Marks that pile up on one character. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * Text of the chain or the web for display as a text node: characters that cannot be seen or change
 * the direction are shown as U+FFFD, white space is single, marks do not pile up, and it
 * is at most `lengthMax` characters long.
 */
export function showText(text: string, lengthMax = 64): string {
  // More code units than shown characters could take are not examined.
  const bounded = text.slice(0, lengthMax * 16);
  const clean = bounded
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '\u{fffd}')
    .replace(/\u{fffd}{2,}/gu, '\u{fffd}')
    .replace(PILED_MARKS, '$1')
    .trim();
  const characters = [...clean];
  if (characters.length <= lengthMax && bounded.length === text.length) return clean;
  return `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** The URL if it is one of the web, without user name and password; otherwise null. */
export function webUrl(text: string): URL | null {
  if (text.length > 2_048 || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}
