import fc from 'fast-check';
import { UnwrittenRows } from '../../src/ingestion/unwritten-rows.ts';
import type { PricedSwap, SlotChanges } from '../../src/model/derived.ts';
import type { Classification } from '../../src/model/fraud.ts';
import { type Address, asRawAmount, asSlot, asUsdNano, type Slot } from '../../src/model/units.ts';
import { buildClassification, buildFinding } from './build-classification.ts';
import { buildBundle, buildChanges, buildSwap } from './build-records.ts';
import { address } from './build-transaction.ts';

export const MINTS = [address('m'), address('n')] as const;
export const POOLS = [address('p'), address('q'), address('r')] as const;
export const WALLETS = [address('w'), address('x')] as const;

/** Roughly one in `count`. */
const rarely = (count: number) => fc.nat(count - 1).map((number) => number === 0);

/** One swap of a slot, and what is found out about it `later` slots later. */
const draft = fc.record({
  txIndex: fc.nat(2),
  outerIx: fc.nat(2),
  pool: fc.nat(2),
  wallet: fc.constantFrom(null, 0, 0, 1),
  isBuy: fc.boolean(),
  base: fc.bigInt(1n, 9n),
  quote: fc.bigInt(1n, 9n),
  value: fc.option(fc.bigInt(0n, 9n), { nil: null, freq: 6 }),
  isHop: rarely(6),
  isQuarantined: rarely(8),
  isOrganic: fc.boolean(),
  isBundled: rarely(3),
  isWash: rarely(6),
  later: fc.nat(3),
});

export type TradeDraft = typeof draft extends fc.Arbitrary<infer Value> ? Value : never;

/** What happens to a chain between two reads. */
export type TradeStep =
  | { readonly kind: 'slot'; readonly drafts: readonly TradeDraft[] }
  | { readonly kind: 'write' | 'fork'; readonly slots: number };

export const arbitraryStep: fc.Arbitrary<TradeStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('slot' as const),
      drafts: fc.array(draft, { maxLength: 6 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('write' as const, 'fork' as const),
      slots: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

/** A swap and what is found out about it. */
interface DraftedSwap {
  readonly swap: PricedSwap;
  readonly draft: TradeDraft;
}

interface ChainSlot {
  readonly changes: SlotChanges;
  readonly drafted: readonly DraftedSwap[];
}

/** A chain of slots 1, 2, 3 …, whose oldest are stored; forks revert others. */
export class TradeChain {
  readonly slots: ChainSlot[] = [];
  written = 0;
  private made = 0;

  apply(step: TradeStep): void {
    if (step.kind === 'slot') this.add(step.drafts);
    else if (step.kind === 'write') {
      this.written = Math.min(this.slots.length, this.written + step.slots);
    } else this.slots.length = Math.max(this.written, this.slots.length - step.slots);
  }

  get drafted(): DraftedSwap[] {
    return this.slots.flatMap(({ drafted }) => drafted);
  }

  get stored(): readonly ChainSlot[] {
    return this.slots.slice(0, this.written);
  }

  /** Those of now, whatever happens to the chain afterwards. */
  get unwritten(): UnwrittenRows {
    const slots = this.slots.slice(this.written);
    return new UnwrittenRows(() => slots);
  }

  private add(drafts: readonly TradeDraft[]): void {
    const slot = asSlot(this.slots.length + 1);
    const unique = new Map(drafts.map((one) => [`${one.txIndex}/${one.outerIx}/${one.pool}`, one]));
    const own = [...unique.values()].map((one) => ({ swap: this.toSwap(one, slot), draft: one }));
    const found = [...this.drafted, ...own].filter(
      (one) => one.swap.slot + one.draft.later === slot && one.swap.swap.trader !== null,
    );
    const relabelled = found.filter(({ swap }) => swap.slot < slot && swap.exclusion === null);
    const changes = buildChanges(slot, {
      swaps: [
        ...relabelled.map(({ swap }) => ({ ...swap, exclusion: 'spike' as const })),
        ...own.map(({ swap }) => swap),
      ],
      bundles: found
        .filter(({ draft: { isBundled } }) => isBundled)
        .map(({ swap: { swap, slot: at, txIndex } }) => {
          const owner = swap.trader as Address;
          return buildBundle(swap.baseMint, '', { owner, slot: at, txIndex, foundSlot: slot });
        }),
      classifications: found
        .filter(({ draft: { isWash } }) => isWash)
        .map(({ swap }) => washFinding(swap, slot)),
    });
    this.slots.push({ changes, drafted: own });
  }

  private toSwap(one: TradeDraft, slot: Slot): PricedSwap {
    const sign = one.isBuy ? -1n : 1n;
    return buildSwap(POOLS[one.pool] ?? address('no pool'), `${++this.made}`, {
      ...{ slot, txIndex: one.txIndex, timeMs: slot * 1_000, isOrganic: one.isOrganic },
      valueUsd: one.value === null ? null : asUsdNano(one.value),
      exclusion: one.isQuarantined ? 'quarantined' : null,
      walletClass: one.isOrganic ? 'organic' : 'bot',
      swap: {
        outerIx: one.outerIx,
        baseMint: one.pool === 0 ? MINTS[0] : MINTS[1],
        trader: one.wallet === null ? null : (WALLETS[one.wallet] ?? null),
        side: one.isBuy ? 'buy' : 'sell',
        isIntermediateHop: one.isHop,
        poolBaseDelta: asRawAmount(sign * one.base),
        poolQuoteDelta: asRawAmount(-sign * one.quote),
      },
    });
  }
}

/** A finding of wash trading by the trader of a swap, from its slot to the slot of the finding. */
function washFinding({ swap, slot, signature }: PricedSwap, foundSlot: Slot): Classification {
  const [wallet] = buildFinding().wallets;
  const washer = { ...wallet, address: swap.trader as Address, labels: ['wash_trader'] };
  return buildClassification({
    id: `${signature}/${swap.outerIx}/${swap.pool}`,
    slot: foundSlot,
    finding: {
      ...{ fraudType: 'wash_volume', mint: swap.baseMint, patternStartSlot: slot },
      wallets: wallet === undefined ? [] : [{ ...wallet, ...washer }],
    },
  });
}
