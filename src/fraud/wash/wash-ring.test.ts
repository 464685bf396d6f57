import fc from 'fast-check';
import { expect, it } from 'vitest';
import { aCase, aTrade, LAUNCH_TIME_MS, sol } from '../../../tests/support/mint-case.ts';
import { asRawAmount, asUsdNano } from '../../model/units.ts';
import { createReading } from '../detect/inspect-case.ts';
import { matchTrades, volumeOf } from '../readings/matched-trades.ts';
import { shareOf } from '../readings/shares.ts';
import { readCycles } from '../readings/trade-cycles.ts';
import { findRings, toContext, usdOf } from './wash-ring.ts';

/**
 * A wallet that buys and sells in turn; amounts are near the gates of volume, dollars and rounds.
 */
const anOwner = fc.record({
  turns: fc.integer({ min: 0, max: 24 }),
  lamports: fc.constantFrom(0.1, 0.2, 0.3, 0.5, 1),
  usd: fc.constantFrom(20, 45, 50, 55, 100, 500, null),
  lastSize: fc.constantFrom(1_000, 5_000),
  isOneSided: fc.constantFrom(false, false, false, true),
});

it('finds the same rings as with a full measurement of every owner', () => {
  fc.assert(
    fc.property(fc.array(anOwner, { minLength: 1, maxLength: 6 }), (owners) => {
      const trades = owners.flatMap(({ turns, lamports, usd, lastSize, isOneSided }, index) =>
        Array.from({ length: turns }, (_, turn) =>
          aTrade(`w${index}`, {
            side: isOneSided || turn % 2 === 0 ? 'buy' : 'sell',
            slot: 1_001 + 10 * turn + index,
            // Amounts of different owners differ by 6 % or more, so that none hands over to another.
            baseRaw: asRawAmount(BigInt((turn === turns - 1 ? lastSize : 1_000) + 100 * index)),
            lamports: sol(lamports),
            usd: usd === null ? null : asUsdNano(BigInt(usd * 1e9)),
          }),
        ),
      );
      const mintCase = aCase({ trades, timeMs: LAUNCH_TIME_MS + 600_000 });
      const context = toContext(createReading(mintCase));
      const day = volumeOf(context.day);
      const expected = Map.groupBy(
        context.day,
        ({ wallet }) => context.clusters.of(wallet)?.root ?? wallet,
      );
      const open = [...expected].flatMap(([root, own]) => {
        const matched = matchTrades(own);
        if (matched === null) return [];
        const isAlone = new Set(matched.trades.map(({ wallet }) => wallet)).size < 2;
        const rounds = Math.max(readCycles(matched.trades, 0).count, matched.pairs);
        const usd = usdOf(context.mintCase, matched.trades);
        const isOpen =
          rounds >= (isAlone ? 10 : 3) &&
          shareOf(volumeOf(matched.trades), day) >= 0.1 &&
          usd !== null &&
          usd >= 1_000;
        return isOpen ? [[root, matched.trades.length]] : [];
      });
      const found = findRings(context).map(({ cluster, wallets, matched }) => [
        cluster?.root ?? wallets[0],
        matched.trades.length,
      ]);
      expect(found).toEqual(open);
    }),
    { numRuns: 500 },
  );
});
