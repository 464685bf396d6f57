import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  balanceChange,
  slotFacts,
  swapEvent,
  transactionFacts,
} from '../../tests/support/build-facts.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { SlotFacts, TransactionFacts } from '../model/slot-facts.ts';
import type { Side, Swap } from '../model/swap.ts';
import { type Address, asAddress, asPriceE18 } from '../model/units.ts';
import { Engine } from './engine.ts';

/**
 * Random slots against an oracle without state: it computes every figure from the raw list of
 * transactions.
 */
const SOL_USD = 150n;
const fallbackSolUsd = asPriceE18(SOL_USD * 10n ** 18n);
const mint = address('token-t');
const pools = ['pool-t', 'pool-u'].map(address);
const wallets = ['a', 'b', 'c', 'd', 'e'].map(address);

interface SwapPlan {
  readonly pool: number;
  readonly side: Side;
  readonly baseRaw: bigint;
  readonly quoteRaw: bigint;
  readonly flag: 'hop' | 'roundTrip' | 'quarantine' | 'none';
}

interface TransactionPlan {
  readonly wallet: number;
  readonly hasFailed: boolean;
  readonly swaps: readonly SwapPlan[];
}

const swapPlan: fc.Arbitrary<SwapPlan> = fc.record({
  pool: fc.integer({ min: 0, max: 1 }),
  side: fc.constantFrom<Side>('buy', 'sell'),
  baseRaw: fc.bigInt(0n, 5n),
  quoteRaw: fc.bigInt(1n, 10n ** 12n),
  flag: fc.constantFrom('hop', 'roundTrip', 'quarantine', 'none', 'none', 'none'),
});

const market: fc.Arbitrary<TransactionPlan[][]> = fc.array(
  fc.array(
    fc.record({
      wallet: fc.integer({ min: 0, max: wallets.length - 1 }),
      hasFailed: fc.boolean(),
      swaps: fc.array(swapPlan, { minLength: 1, maxLength: 4 }),
    }),
    { maxLength: 5 },
  ),
  { maxLength: 8 },
);

/** Slots for a plan; wallets start with 100 units each, from before the first slot. */
function build(plan: TransactionPlan[][]): SlotFacts[] {
  const held = new Map(wallets.map((wallet) => [wallet, 100n]));
  return plan.map((transactions, index) =>
    slotFacts(
      10 + index * 2,
      1_000_000 + index * 700,
      transactions.map((transaction, position) => toFacts(transaction, position * 3, held)),
    ),
  );
}

function toFacts(
  { wallet, hasFailed, swaps }: TransactionPlan,
  txIndex: number,
  held: Map<Address, bigint>,
): TransactionFacts {
  const trader = asAddress(wallets[wallet] ?? '');
  const events = swaps.map(({ pool, side, baseRaw, quoteRaw, flag }, outerIx) =>
    swapEvent(
      { trader, side, baseRaw, quoteRaw },
      {
        outerIx,
        pool: asAddress(pools[pool] ?? ''),
        isIntermediateHop: flag === 'hop',
        isAtomicRoundTrip: flag === 'roundTrip',
        quarantine: flag === 'quarantine' ? 'made up' : null,
      },
    ),
  );
  const before = held.get(trader) ?? 0n;
  const sum = events.reduce((net, { traderBaseDelta }) => net + traderBaseDelta, before);
  const after = sum < 0n ? 0n : sum;
  if (!hasFailed) held.set(trader, after);
  return transactionFacts({
    txIndex,
    signers: [trader],
    error: hasFailed ? '{"Custom":1}' : null,
    events,
    tokenBalances: before === after ? [] : [balanceChange(trader, before, after)],
  });
}

function believedSwaps(slots: readonly SlotFacts[], pool: Address): Map<TransactionFacts, Swap[]> {
  const transactions = slots.flatMap((facts) => facts.transactions);
  const swaps = new Map<TransactionFacts, Swap[]>();
  for (const transaction of transactions.filter(({ error }) => error === null)) {
    const believed = transaction.events.filter(
      (event): event is Swap =>
        event.kind === 'swap' && event.pool === pool && event.quarantine === null,
    );
    if (believed.length > 0) swaps.set(transaction, believed);
  }
  return swaps;
}

/** At $150 per SOL, one lamport is worth 150 nano-dollars. */
function volumeOf(swaps: readonly Swap[], side: Side): bigint {
  return swaps
    .filter((swap) => swap.side === side)
    .reduce((sum, { poolQuoteDelta }) => {
      return sum + (poolQuoteDelta < 0n ? -poolQuoteDelta : poolQuoteDelta) * SOL_USD;
    }, 0n);
}

/** Each transaction here has one trader, so its trades are the sign of one sum. */
function tradesOf(swaps: Iterable<Swap[]>): { buys: number; sells: number } {
  const count = { buys: 0, sells: 0 };
  for (const ofTransaction of swaps) {
    const net = ofTransaction
      .filter(
        ({ isIntermediateHop, isAtomicRoundTrip }) => !isIntermediateHop && !isAtomicRoundTrip,
      )
      .reduce((sum, { poolBaseDelta }) => sum - poolBaseDelta, 0n);
    if (net > 0n) count.buys++;
    if (net < 0n) count.sells++;
  }
  return count;
}

describe('the fold of random slots', () => {
  test('gives each pool the volumes, trades and wallets of the raw list', () => {
    fc.assert(
      fc.property(market, (plan) => {
        const slots = build(plan);
        const engine = new Engine({ fallbackSolUsd });
        for (const facts of slots) engine.apply(facts);
        for (const pool of pools) {
          const swaps = believedSwaps(slots, pool);
          const all = [...swaps.values()].flat();
          const { buys, sells } = tradesOf(swaps.values());
          if (all.length === 0) {
            expect(engine.pool(pool)).toBeNull();
            continue;
          }
          expect(engine.pool(pool)).toMatchObject({
            swapCount: all.length,
            buyVolumeUsd: volumeOf(all, 'buy'),
            sellVolumeUsd: volumeOf(all, 'sell'),
            walletCount: new Set(
              all.filter(({ isIntermediateHop }) => !isIntermediateHop).map(({ trader }) => trader),
            ).size,
            buyCount: buys,
            sellCount: sells,
          });
        }
      }),
    );
  });

  test('gives each wallet the balance of its last record', () => {
    fc.assert(
      fc.property(market, (plan) => {
        const slots = build(plan);
        const engine = new Engine({ fallbackSolUsd });
        const rows = slots.flatMap((facts) => engine.apply(facts).balances);
        const last = new Map<Address, bigint>();
        for (const { error, tokenBalances } of slots.flatMap((facts) => facts.transactions)) {
          if (error !== null) continue;
          for (const { owner, after } of tokenBalances) last.set(asAddress(owner ?? ''), after);
        }
        const holding = [...last].filter(([, balanceRaw]) => balanceRaw > 0n);
        expect(engine.holderCount(mint)).toBe(holding.length);
        const top = engine
          .topHolders(mint, 100)
          .map(({ owner, balanceRaw }) => [owner, balanceRaw] as const);
        expect(new Map(top)).toEqual(new Map(holding));
        const latest = new Map(rows.map(({ owner, balanceRaw }) => [owner, balanceRaw]));
        for (const [owner, balanceRaw] of holding) expect(latest.get(owner)).toBe(balanceRaw);
        expect(engine.contradictions).toEqual({ supplies: 0, balances: 0, ownerlessBalances: 0 });
      }),
    );
  });

  test('gives the same changes and the same digest every time', () => {
    fc.assert(
      fc.property(market, (plan) => {
        const slots = build(plan);
        const [one, other] = [new Engine({ fallbackSolUsd }), new Engine({ fallbackSolUsd })];
        for (const facts of slots) {
          expect(other.apply(structuredClone(facts))).toEqual(one.apply(facts));
        }
        expect(other.digest()).toBe(one.digest());
      }),
      { numRuns: 50 },
    );
  });
});
