import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildChanges, buildSwap } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { listedSwaps, placeOf } from '../../../tests/support/listed-swaps.ts';
import type { PricedSwap } from '../../model/derived.ts';
import type { TradePosition } from '../../model/trade.ts';
import { asRawAmount, asSlot, asUsdNano } from '../../model/units.ts';
import { rowVersion } from '../sql/row-version.ts';
import type { VisibleEpoch } from '../sql/visible-epoch.ts';
import type { SwapRange } from './trade-sql.ts';
import { StoredTrades } from './trades.ts';

const MINTS = [address('trades mint'), address('other trades mint')] as const;
const POOLS = ['trades pool', 'second pool', 'third pool'].map(address);
const WALLETS = ['trades wallet', 'other trades wallet'].map(address);
const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;

const EVERY: SwapRange = {
  ...{ mint: null, pool: null, wallet: null, fromMs: null, toMs: null, side: null },
  ...{ valueUsdMin: null, class: 'all', view: 'all', beforeSlot: null },
};

/** A swap whose pool is always of the same mint, as on the chain. Days apart, to span partitions. */
const draft = fc.record({
  slot: fc.integer({ min: 1, max: 6 }),
  txIndex: fc.nat(2),
  outerIx: fc.nat(1),
  innerIx: fc.integer({ min: -1, max: 1 }),
  pool: fc.nat(POOLS.length - 1),
  wallet: fc.constantFrom(null, 0, 1),
  side: fc.constantFrom('buy' as const, 'sell' as const),
  value: fc.constantFrom<bigint | null>(null, 0n, 5n, 10n),
  walletClass: fc.constantFrom(null, 'organic' as const, 'bot' as const),
  isOrganic: fc.boolean(),
  isHop: fc.boolean(),
  isQuarantined: fc.boolean(),
});

function toSwap(given: typeof draft extends fc.Arbitrary<infer Value> ? Value : never): PricedSwap {
  const { slot, txIndex, outerIx, innerIx } = given;
  return buildSwap(POOLS[given.pool] ?? address('no pool'), `${slot}/${txIndex}`, {
    ...{ slot: asSlot(slot), txIndex, timeMs: START_MS + Math.floor(slot / 2) * 20 * DAY_MS },
    valueUsd: given.value === null ? null : asUsdNano(given.value),
    walletClass: given.walletClass,
    isOrganic: given.isOrganic,
    exclusion: given.isQuarantined ? 'quarantined' : null,
    terminal: 'axiom',
    swap: {
      ...{ outerIx, innerIx, side: given.side, isIntermediateHop: given.isHop },
      baseMint: given.pool === 0 ? MINTS[0] : MINTS[1],
      trader: given.wallet === null ? null : (WALLETS[given.wallet] ?? null),
    },
  });
}

const range: fc.Arbitrary<SwapRange> = fc
  .record({
    fromMs: fc.constantFrom(null, START_MS + 1, START_MS + 20 * DAY_MS),
    toMs: fc.constantFrom(null, START_MS + 20 * DAY_MS, START_MS + 60 * DAY_MS),
    side: fc.constantFrom(null, 'buy' as const, 'sell' as const),
    valueUsdMin: fc.constantFrom(null, asUsdNano(0n), asUsdNano(6n)),
    class: fc.constantFrom('all' as const, 'organic' as const, 'bot' as const),
    view: fc.constantFrom('all' as const, 'all' as const, 'user' as const),
    beforeSlot: fc.constantFrom(null, null, 4),
    scope: fc.constantFrom(
      ...MINTS.map((mint) => ({ mint })),
      ...POOLS.map((pool) => ({ pool })),
      ...WALLETS.map((wallet) => ({ wallet })),
      ...WALLETS.flatMap((wallet) => MINTS.map((mint) => ({ wallet, mint }))),
      ...WALLETS.flatMap((wallet) => POOLS.map((pool) => ({ wallet, pool }))),
      ...POOLS.map((pool) => ({ pool, mint: MINTS[1] ?? null })),
    ),
  })
  .map(({ scope, ...rest }) => ({ ...EVERY, ...rest, ...scope }));

/** Most filters off, so that most queries have results. */
const query = fc.record({
  range: fc
    .tuple(range, fc.array(fc.nat(3), { minLength: 6, maxLength: 6 }))
    .map(([given, isKept]): SwapRange => {
      const names = ['fromMs', 'toMs', 'side', 'valueUsdMin', 'class', 'beforeSlot'] as const;
      const off = names.filter((_, index) => isKept[index] !== 0);
      return { ...given, ...Object.fromEntries(off.map((name) => [name, EVERY[name]])) };
    }),
  after: fc.option(fc.nat(50), { nil: null, freq: 1 }),
  limit: fc.integer({ min: 1, max: 12 }),
});

const position = ({ timeMs, slot, txIndex, swap }: PricedSwap): TradePosition => {
  const { outerIx, innerIx, pool } = swap;
  return { timeMs, slot, txIndex, outerIx, innerIx, pool };
};

describe.each(transports)('stored trades %s', (_, open) => {
  const opened = useDataPlane(open);
  let epoch = 0;

  const swaps = fc
    .uniqueArray(draft, {
      ...{ minLength: 30, maxLength: 50 },
      selector: (one) => [one.slot, one.txIndex, one.outerIx, one.innerIx, one.pool].join(),
    })
    .map((drafts) => drafts.map(toSwap));

  async function write(given: readonly PricedSwap[], layer: number, writtenAt?: number) {
    for (const [slot, own] of Map.groupBy(given, (one) => one.slot)) {
      const changes = [buildChanges(writtenAt ?? slot, { swaps: own })];
      await opened.writer.writeBatch({ slots: [], changes, epoch: layer });
    }
  }

  async function expectListed(
    visible: VisibleEpoch,
    stored: readonly PricedSwap[],
    asked: readonly (typeof query extends fc.Arbitrary<infer Value> ? Value : never)[],
  ) {
    const trades = new StoredTrades(opened.plane.fast, visible);
    let found = 0;
    for (const { range: given, after: index, limit } of asked) {
      const after = index === null ? null : (stored[index % stored.length] ?? null);
      const rows = await trades.newest(given, after === null ? null : position(after), limit);
      const expected = listedSwaps(stored, given, after).slice(0, limit);
      found += expected.length;
      expect(
        rows.map((row) => [row.slot, row.txIndex, row.swap.outerIx, row.swap.innerIx]),
      ).toEqual(expected.map(placeOf));
      for (const [at, row] of rows.entries()) expect(expected[at]).toMatchObject(row);
    }
    return found;
  }

  const queries = fc.array(query, { minLength: 15, maxLength: 15 });

  test('are those of the list of all swaps, newest first, whatever was written again', async () => {
    let found = 0;
    const property = fc.asyncProperty(swaps, queries, async (given, asked) => {
      const layer = ++epoch;
      await write(given, layer);
      // Labels that a later slot changed, and a batch that is repeated after a crash.
      const relabelled = given.filter(({ exclusion }) => exclusion === null).slice(0, 5);
      await write(
        relabelled.map((priced) => ({ ...priced, exclusion: 'spike' as const })),
        layer,
        7,
      );
      const labels = given.map((priced) =>
        relabelled.includes(priced) ? { ...priced, exclusion: 'spike' as const } : priced,
      );
      await write(
        given.slice(0, 3).filter((one) => !relabelled.includes(one)),
        layer,
      );
      found += await expectListed({ epoch: layer }, labels, asked);
    });
    await fc.assert(property, { numRuns: 8, endOnFailure: true });
    expect(found).toBeGreaterThan(100);
  });

  test('of two layers are the rows of the lower one up to a slot and those of the upper one', async () => {
    const through = 3;
    const property = fc.asyncProperty(swaps, swaps, queries, async (lower, upper, asked) => {
      const [base, top] = [++epoch, ++epoch];
      await write(lower, base);
      const later = upper.filter(({ slot }) => slot > through);
      // A label that a replaced slot had changed is written to the upper layer as it was.
      const restored = lower.filter(({ slot }) => slot <= through).slice(0, 3);
      await write(restored, base, 6);
      await write(restored, top, through);
      await write(later, top);
      const stored = [...lower.filter(({ slot }) => slot <= through), ...later];
      const layers = { top, base: { epoch: base, through: rowVersion(base, through) } };
      if (stored.length > 0) await expectListed({ epoch: top, layers }, stored, asked);
    });
    await fc.assert(property, { numRuns: 6, endOnFailure: true });
  });

  test('show the amounts and names that were written', async () => {
    const written = toSwap({
      ...{ slot: 2, txIndex: 1, outerIx: 1, innerIx: 0, pool: 0, wallet: 0, side: 'sell' },
      ...{ value: 7n, walletClass: 'bot', isOrganic: false, isHop: true, isQuarantined: false },
    });
    const { swap } = written;
    const poolBaseDelta = asRawAmount(-(2n ** 100n));
    const layer = ++epoch;
    await write(
      [{ ...written, swap: { ...swap, poolBaseDelta, router: POOLS[2] ?? null } }],
      layer,
    );
    const trades = new StoredTrades(opened.plane.fast, { epoch: layer });
    for (const scope of [{ mint: MINTS[0] }, { pool: POOLS[0] }, { wallet: WALLETS[0] }]) {
      expect(await trades.newest({ ...EVERY, ...scope } as SwapRange, null, 5)).toMatchObject([
        {
          ...{ slot: 2, txIndex: 1, walletClass: 'bot', terminal: 'axiom', priceUsd: 300n },
          signature: written.signature,
          swap: {
            ...{ poolBaseDelta, poolQuoteDelta: 20n, router: POOLS[2], venue: 'pump_amm' },
            ...{ trader: WALLETS[0], isIntermediateHop: true, baseDecimals: 6, quoteDecimals: 9 },
          },
        },
      ]);
    }
  });
});
