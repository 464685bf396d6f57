/** Defects of lists of trades and of their cursors. */
import type { Mutant } from '../mutant.ts';

const CURSORS = ['src/api/parameters/page-cursor.test.ts'];
const CURRENT = ['src/ingestion/current-trades.test.ts'];

export const TRADE_MUTANTS: readonly Mutant[] = [
  {
    name: 'cursor-of-any-request',
    file: 'src/api/parameters/page-cursor.ts',
    find: 'if (position === null || encode(parts, filters) !== text) {',
    replace: 'if (position === null) {',
    tests: CURSORS,
    harm: 'The cursor of another list or of other filters skips items silently.',
  },
  {
    name: 'page-without-limit',
    file: 'src/api/schemas/parameters.ts',
    find: 'maximum: 500,',
    replace: 'maximum: 500_000,',
    tests: ['src/api/routes/trades.test.ts'],
    testName: 'a large limit',
    harm: 'One request reads and sends a whole history.',
  },
  {
    name: 'stored-trades-of-unwritten-slots',
    file: 'src/ingestion/current-trades.ts',
    find: 'return { ...query, beforeSlot: this.sources.unwritten.firstSlot };',
    replace: 'return { ...query, beforeSlot: null };',
    tests: CURRENT,
    harm: 'Trades that are written during a read are listed twice.',
  },
  {
    name: 'users-trades-cut-at-portions',
    file: 'src/ingestion/current-trades.ts',
    find: 'const swaps = withoutLastTransaction(found);',
    replace: 'const swaps = found;',
    tests: CURRENT,
    harm: "A user's trade has a part of its swaps.",
  },
  {
    name: 'users-trades-read-without-bound',
    file: 'src/ingestion/current-trades.ts',
    find: 'read < SWAPS_READ_MAX;',
    replace: 'read >= 0;',
    tests: CURRENT,
    harm: 'A rare filter makes one request read the whole history of a token.',
  },
  {
    name: 'discarded-wash-findings-count',
    file: 'src/ingestion/trade-labels.ts',
    find: "return review !== 'false_positive' && review !== 'archived';",
    replace: 'return true;',
    tests: ['src/ingestion/trade-labels.test.ts'],
    harm: 'Trades are called wash trading although a review said otherwise.',
  },
];
