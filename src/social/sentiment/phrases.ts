/**
 * Phrases whose valence is not that of their words (METHODS §13.4), and words for the side of a
 * trade.
 */
type PhraseList = readonly (readonly [valence: number, phrases: string])[];

const PHRASES: PhraseList = [
  [
    -3.2,
    'liquidity pulled, pulled liquidity, pulled the liquidity, pulling liquidity, liquidity removed, removed liquidity, lp pulled, pulled lp, pulled the lp, rug pull, rug pulled, pulled the rug, soft rug, slow rug, exit scam, honey pot, going to zero, goes to zero, go to zero, went to zero',
  ],
  [
    -2.5,
    'dev sold, devs sold, dev dumped, devs dumped, dev is selling, dev selling, team sold, team dumped, cant sell, cannot sell, unable to sell, sell disabled, exit liquidity, dead coin, pump and dump, stay away, avoid this',
  ],
  [
    -1.6,
    'bull trap, dead cat bounce, lower highs, lower lows, paper hands, buy puts, bought puts, long puts, sell now, get out',
  ],
  [
    1.2,
    'liquidity locked, locked liquidity, lp burned, lp burnt, burned lp, mint revoked, higher lows, higher highs, buy the dip, bear trap, short squeeze, dev is based, sold puts, selling puts',
  ],
  [
    1.6,
    'diamond hands, all time high, new highs, buy calls, bought calls, long calls, to the moon',
  ],
];

export interface Phrase {
  readonly words: readonly string[];
  readonly valence: number;
}

/** Phrases by their first word, the longest first. */
export const PHRASES_BY_FIRST: ReadonlyMap<string, readonly Phrase[]> = byFirstWord();

/** The first of some phrases that the words from a place on are; null if none is. */
export function phraseAt(
  words: readonly string[],
  at: number,
  candidates: readonly Phrase[],
): Phrase | null {
  for (const phrase of candidates) {
    if (phrase.words.every((word, next) => words[at + next] === word)) return phrase;
  }
  return null;
}

/** 1 for words of a buyer, −1 for words of a seller. */
export const SIDES: ReadonlyMap<string, 1 | -1> = new Map([
  ...sideOf(
    1,
    'buy buying bought buys long longs longed longing calls call add adding added adds accumulate accumulating accumulated load loading loaded hold holding holds hodl bid bidding',
  ),
  ...sideOf(
    -1,
    'sell selling sold sells short shorts shorted shorting puts put exit exiting exited trim trimmed trimming dump dumping dumped dumps unload unloading',
  ),
]);

/** Words of an option whose side depends on the trade before: who sells puts is no seller. */
const OPTIONS: ReadonlySet<string> = new Set(['puts', 'put', 'calls', 'call']);
const SELLS: ReadonlySet<string> = new Set([
  'sell',
  'selling',
  'sold',
  'sells',
  'short',
  'shorting',
]);

/** The side that a word of SIDES takes among its neighbours, before any negation. */
export function tradeSide(words: readonly string[], at: number, side: number): number {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  // "sold puts": the option says the side.
  if (OPTIONS.has(next)) return 0;
  return OPTIONS.has(word) && SELLS.has(words[at - 1] ?? '') ? -side : side;
}

function byFirstWord(): Map<string, Phrase[]> {
  const map = new Map<string, Phrase[]>();
  for (const [valence, list] of PHRASES) {
    for (const phrase of list.split(', ')) {
      const words = phrase.split(' ');
      const first = words[0] ?? '';
      map.set(first, [...(map.get(first) ?? []), { words, valence }]);
    }
  }
  for (const phrases of map.values()) {
    phrases.sort((one, other) => other.words.length - one.words.length);
  }
  return map;
}

function sideOf<Side extends 1 | -1>(side: Side, words: string): [string, Side][] {
  return words.split(' ').map((word) => [word, side]);
}
