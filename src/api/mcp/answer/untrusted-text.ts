import { displayText } from '../../../lib/terminal/display-text.ts';

declare const UNTRUSTED: unique symbol;

/**
 * Text that strangers wrote, under the one name that marks it as such. Only `untrusted` makes it,
 * and only here may names, descriptions, links and posts appear in an answer.
 */
export interface Untrusted {
  readonly untrusted_text: Readonly<Record<string, string | null>>;
  readonly [UNTRUSTED]: true;
}

/** Most characters of each kind of text, after escaping. */
const LENGTH_MAX = {
  name: 64,
  symbol: 24,
  description: 280,
  author: 48,
  post: 280,
  url: 120,
} as const;

type TextKind = keyof typeof LENGTH_MAX;

/**
 * Marks texts of strangers. Control, format, bidirectional and invisible characters become escapes
 * such as \u202e, and long texts are cut, which an ellipsis shows.
 */
export function untrusted(
  texts: { readonly [Kind in TextKind]?: string | null | undefined },
): Untrusted {
  const shown = Object.entries(texts).map(([kind, text]) => [
    kind,
    text === null || text === undefined ? null : cut(text, LENGTH_MAX[kind as TextKind]),
  ]);
  return { untrusted_text: Object.fromEntries(shown) } as Untrusted;
}

/** Ends after a whole character or escape. */
function cut(text: string, lengthMax: number): string {
  // No character becomes shorter by escaping.
  const safe = displayText(text.slice(0, lengthMax + 1));
  if (safe.length <= lengthMax) return safe;
  let shown = '';
  for (const [piece] of safe.matchAll(PIECE)) {
    if (shown.length + piece.length > lengthMax - 1) break;
    shown += piece;
  }
  return `${shown}…`;
}

/** An escape of a character outside of the basic plane is two. */
const PIECE = /\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4}|\\\\|./gsu;
