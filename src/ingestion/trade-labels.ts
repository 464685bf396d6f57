import type { Classification } from '../model/fraud.ts';
import { PUBLISHED_CONFIDENCE_MIN, type ReviewStatus } from '../model/fraud-review.ts';
import type { TradedSwap } from '../model/trade.ts';
import type { Address } from '../model/units.ts';
import type { StoredTradeLabels } from '../store/reads/trade-labels.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/** What is known about a trade beside its swap, as of the newest slot. */
export interface TradeLabels {
  /** Its wallet traded the token in this transaction as a member of a bundle. */
  isBundled(trade: TradedSwap): boolean;
  /** A finding of wash trading covers it. */
  isWash(trade: TradedSwap): boolean;
}

/** The label that a finding gives to the wallets that trade with themselves. */
const WASH_TRADER = 'wash_trader';

/**
 * Labels that a later slot may add to a trade: bundles that links between wallets reveal, and
 * findings of wash trading. They are joined when trades are read, so all pages have the labels of
 * their own slot.
 */
export class CurrentTradeLabels {
  private readonly stored: Pick<StoredTradeLabels, 'bundled' | 'washFindings'>;
  private readonly unwritten: UnwrittenRows;
  private readonly reviewOf: (classificationId: string) => ReviewStatus | null;

  constructor(
    stored: Pick<StoredTradeLabels, 'bundled' | 'washFindings'>,
    unwritten: UnwrittenRows,
    reviewOf: (classificationId: string) => ReviewStatus | null,
  ) {
    this.stored = stored;
    this.unwritten = unwritten;
    this.reviewOf = reviewOf;
  }

  async of(trades: readonly TradedSwap[]): Promise<TradeLabels> {
    if (trades.length === 0) return NO_LABELS;
    const mints = [...new Set(trades.map(({ swap }) => swap.baseMint))];
    const slots = [...new Set(trades.map(({ slot }) => slot))];
    const bundled = new Set<string>();
    for (const mint of mints) {
      for (const row of this.unwritten.bundles(mint)) bundled.add(bundleKey(row));
    }
    const newest = new Map<string, Classification>();
    const add = (classification: Classification) => {
      const known = newest.get(classification.id);
      if (known === undefined || known.slot <= classification.slot) {
        newest.set(classification.id, classification);
      }
    };
    for (const mint of mints) this.unwritten.classifications(mint).forEach(add);
    const [storedBundles, storedFindings] = await Promise.all([
      this.stored.bundled({ mints, slots }),
      this.stored.washFindings(mints),
    ]);
    for (const row of storedBundles) bundled.add(bundleKey(row));
    storedFindings.forEach(add);
    const rings = [...newest.values()].filter((one) => this.isReported(one)).map(toRing);
    return {
      isBundled: ({ slot, txIndex, swap: { baseMint: mint, trader: owner } }) =>
        owner !== null && bundled.has(bundleKey({ mint, slot, txIndex, owner })),
      isWash: (trade) => rings.some((ring) => isOfRing(trade, ring)),
    };
  }

  /**
   * Unlike in a fraud check, a finding counts after the pattern has ended, but not after a review has
   * discarded it.
   */
  private isReported({ id, state, finding }: Classification): boolean {
    if (finding.fraudType !== 'wash_volume' || state === 'candidate') return false;
    if (finding.confidence < PUBLISHED_CONFIDENCE_MIN) return false;
    const review = this.reviewOf(id);
    return review !== 'false_positive' && review !== 'archived';
  }
}

const NO_LABELS: TradeLabels = { isBundled: () => false, isWash: () => false };

function bundleKey({
  mint,
  slot,
  txIndex,
  owner,
}: {
  readonly mint: Address;
  readonly slot: number;
  readonly txIndex: number;
  readonly owner: Address;
}): string {
  return `${mint}/${slot}/${txIndex}/${owner}`;
}

/** The trades of a finding: those of its wallets, from its first evidence to its last version. */
interface Ring {
  readonly mint: Address;
  readonly wallets: ReadonlySet<Address>;
  readonly fromSlot: number;
  readonly toSlot: number;
}

function toRing({ finding, slot }: Classification): Ring {
  const wallets = finding.wallets.filter(({ labels }) => labels.includes(WASH_TRADER));
  return {
    mint: finding.mint,
    wallets: new Set(wallets.map(({ address }) => address)),
    fromSlot: finding.patternStartSlot,
    toSlot: slot,
  };
}

function isOfRing({ slot, swap }: TradedSwap, { mint, wallets, fromSlot, toSlot }: Ring): boolean {
  if (swap.trader === null || swap.baseMint !== mint || !wallets.has(swap.trader)) return false;
  return slot >= fromSlot && slot <= toSlot;
}
