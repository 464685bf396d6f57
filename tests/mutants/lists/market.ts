import type { Mutant } from '../mutant.ts';

/** Windows and lists of the market. */
export const MARKET_MUTANTS: readonly Mutant[] = [
  {
    name: 'late-price-unseen-by-windows',
    file: 'src/market/prices-before.ts',
    find: 'if (this.isPriced(bucket) === wasPriced) return;',
    replace: 'return;',
    tests: ['src/market/market-windows.test.ts'],
    harm: 'The change of a price is wrong after an outage, until the next price leaves the window.',
  },
  {
    name: 'last-buys-not-moved',
    file: 'src/market/market-windows.ts',
    find: 'if (lastAt >= this.startOf(WHOLE)) {',
    replace: 'if (lastAt > this.startOf(WHOLE)) {',
    tests: ['src/market/market-windows.test.ts'],
    harm: 'A wallet that buys again after a day is not counted any more.',
  },
  {
    name: 'relabelled-swaps-counted-twice',
    file: 'src/market/market-table.ts',
    find: "if (of !== slot || exclusion === 'quarantined') continue;",
    replace: "if (exclusion === 'quarantined') continue;",
    tests: ['src/market/market-table.test.ts'],
    harm: 'Organic volumes contain a spike twice.',
  },
  {
    name: 'unknown-figures-first',
    file: 'src/market/figure-columns.ts',
    find: 'return isOneKnown ? -1 : 1;',
    replace: "return isOneKnown === (orderDir === 'desc') ? -1 : 1;",
    tests: ['src/market/figure-columns.test.ts'],
    harm: 'Lists in ascending order begin with tokens about which nothing is known.',
  },
  {
    name: 'windows-read-twice',
    file: 'src/store/reads/market-history.ts',
    find: ' AND slot < {before:UInt64}',
    replace: '',
    tests: ['tests/replay/market-lists.test.ts'],
    harm: 'Trades that are stored while the lists are filled count twice.',
  },
];
