import type { Address } from '../../src/model/units.ts';
import type { MarketFact } from '../chain/market-fact.ts';
import type { SimulatedBlock } from '../chain/simulated-transaction.ts';
import { Labels } from './labels.ts';

/** The trades of a pool, by the venue's own arithmetic. */
export interface PoolTruth {
  readonly baseMint: Address;
  readonly quoteMint: Address;
  buys: number;
  sells: number;
  boughtBaseRaw: bigint;
  soldBaseRaw: bigint;
  buyQuoteRaw: bigint;
  sellQuoteRaw: bigint;
  /** Fees that stayed in the quote vault, and the part of them that has been paid out. */
  keptQuoteRaw: bigint;
  sweptQuoteRaw: bigint;
  readonly traders: Set<Address>;
}

export interface LaunchTruth {
  readonly mint: Address;
  readonly pool: Address;
  readonly creator: Address;
  readonly slot: number;
}

/** The ground truth about the canonical branch. */
export class TruthBook {
  readonly pools = new Map<Address, PoolTruth>();
  readonly launches: LaunchTruth[] = [];
  readonly labels = new Labels();
  transactions = 0;
  failed = 0;

  applyBlock(block: SimulatedBlock): void {
    for (const { facts, error, isVote } of block.transactions) {
      if (isVote) continue;
      this.transactions++;
      if (error !== null) this.failed++;
      for (const fact of facts) this.applyFact(fact, block.slot);
    }
  }

  private applyFact(fact: MarketFact, slot: number): void {
    if (fact.kind === 'trade') this.applyTrade(fact);
    if (fact.kind === 'feeSweep') this.applySweep(fact);
    if (fact.kind === 'launch') {
      const { mint, pool, creator } = fact;
      this.launches.push({ mint, pool, creator, slot });
    }
  }

  private applyTrade(trade: MarketFact & { readonly kind: 'trade' }): void {
    const truth = this.poolOf(trade);
    if (trade.trader !== null) truth.traders.add(trade.trader);
    truth.keptQuoteRaw += trade.keptQuoteRaw;
    if (trade.side === 'buy') {
      truth.buys++;
      truth.boughtBaseRaw += trade.baseRaw;
      truth.buyQuoteRaw += trade.quoteRaw;
    } else {
      truth.sells++;
      truth.soldBaseRaw += trade.baseRaw;
      truth.sellQuoteRaw += trade.quoteRaw;
    }
  }

  private applySweep({ pool, amountRaw }: MarketFact & { readonly kind: 'feeSweep' }): void {
    const truth = this.pools.get(pool);
    if (truth !== undefined) truth.sweptQuoteRaw += amountRaw;
  }

  private poolOf({
    pool,
    baseMint,
    quoteMint,
  }: MarketFact & { readonly kind: 'trade' }): PoolTruth {
    const known = this.pools.get(pool);
    if (known !== undefined) return known;
    const truth: PoolTruth = {
      baseMint,
      quoteMint,
      buys: 0,
      sells: 0,
      boughtBaseRaw: 0n,
      soldBaseRaw: 0n,
      buyQuoteRaw: 0n,
      sellQuoteRaw: 0n,
      keptQuoteRaw: 0n,
      sweptQuoteRaw: 0n,
      traders: new Set(),
    };
    this.pools.set(pool, truth);
    return truth;
  }
}
