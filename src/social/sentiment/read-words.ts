import { normaliseText } from '../text/normalise-text.ts';
import { LEXICON, type LexiconEntry } from './lexicon.ts';

/**
 * A post as words. Links, handles and tickers are replaced by one token for their kind, and numbers
 * keep only sign and unit, because the exact value says little about a mood.
 */
export interface PostWords {
  /** Lower case without apostrophes; `<url>`, `<user>`, `<tag>`, numbers as `+0%`, `$0`, `0`. */
  readonly words: readonly string[];
  /** For each word, its lexicon entry. */
  readonly known: readonly (LexiconEntry | undefined)[];
  /** For each word, whether it was written in at least two capitals. */
  readonly shouted: readonly boolean[];
  /** Whether the post has words in capitals and others: only then capitals are emphasis. */
  readonly isMixedCase: boolean;
  /** Tickers after `$`, in lower case, once for each mention. */
  readonly tags: readonly string[];
}

const PARTS =
  /(?:[hH]ttps?:\/\/|[wW]ww\.)\S+|@\w+|\$[a-zA-Z][\w.]*|[+-]?\$?\d[\d.,]*[%kKmMbBxX]?|<3|[:;=]-?[()dDpP/|]|[a-zA-Z]+(?:['’][a-zA-Z]+)*|[!?]+|\.{2,}|\p{Extended_Pictographic}|\p{L}+/gu;
const ENTITY = /&(amp|lt|gt|quot|#39|nbsp);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

export function readWords(text: string): PostWords {
  const words: string[] = [];
  const known: (LexiconEntry | undefined)[] = [];
  const shouted: boolean[] = [];
  const tags: string[] = [];
  let shouts = 0;
  let letters = 0;
  const normal = normaliseText(text);
  const plain = normal.includes('&')
    ? normal.replace(ENTITY, (_, name: string) => ENTITIES[name] ?? ' ')
    : normal;
  for (const part of plain.match(PARTS) ?? []) {
    const word = wordOf(part);
    if (word === '<tag>') tags.push(part.toLowerCase());
    const isWord = isLetter(word.charCodeAt(0));
    const isShouted = isWord && part.length > 1 && part === part.toUpperCase();
    if (isWord) letters++;
    if (isShouted) shouts++;
    words.push(word);
    known.push(LEXICON.get(word));
    shouted.push(isShouted);
  }
  return { words, known, shouted, isMixedCase: shouts > 0 && shouts < letters, tags };
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function wordOf(part: string): string {
  const first = part.charCodeAt(0);
  if (first === 64) return '<user>';
  if (first === 36 && !isDigit(part.charCodeAt(1))) return '<tag>';
  if (isDigit(first) || first === 43 || first === 45 || first === 36) return numberSign(part);
  const small = part.toLowerCase();
  if (small.startsWith('http') || small.startsWith('www.')) return '<url>';
  if (first === 33 || first === 63) return punctuation(small);
  if (first === 46) return '...';
  const bare = small.includes("'") || small.includes('’') ? small.replace(/['’]/g, '') : small;
  return squeeze(bare);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `+12.5%` as `+0%`, `$1,000` as `$0`, `3x` as `0x`. */
function numberSign(part: string): string {
  const sign = part.startsWith('+') ? '+' : part.startsWith('-') ? '-' : '';
  const unit = part.charAt(part.length - 1).toLowerCase();
  return `${sign}${part.includes('$') ? '$' : ''}0${'%kmbx'.includes(unit) ? unit : ''}`;
}

function punctuation(part: string): string {
  if (part.includes('?')) return part.includes('!') ? '?!' : part.length > 1 ? '??' : '?';
  return part.length > 2 ? '!!!' : part.length > 1 ? '!!' : '!';
}

const REPEATED = /(.)\1{2,}/gu;

/** `sooooo` as `soo`: the number of repeated letters has no meaning. */
function squeeze(word: string): string {
  return word.length > 2 && word.length < 64 ? word.replace(REPEATED, '$1$1') : word.slice(0, 64);
}
