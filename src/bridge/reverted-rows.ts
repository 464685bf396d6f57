import type { Candle, SlotChanges } from '../model/derived.ts';
import type { StreamTopic, SubjectProperty } from '../model/slot-frame.ts';
import type { Address } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';

/** Whether a subject is wanted by some subscription. */
export type WantsRow = (topic: StreamTopic, property: SubjectProperty, value: string) => boolean;

/** Where the previous values of rows are. */
export interface RevertedSource extends Pick<LiveEngine, 'pool' | 'token'> {
  /** A candle that can still change, as it is shown; null for any other. */
  candle(scope: Address, openTimeMs: number): Candle | null;
}

type CandleName = Pick<Candle, 'scope' | 'openTimeMs'>;

/**
 * Pools, tokens and candles of reverted slots. Their records have previous values again, which are
 * published with the next slot even if that does not change them.
 */
export class RevertedRows {
  private readonly pools = new Set<Address>();
  private readonly tokens = new Set<Address>();
  private readonly candles = new Map<string, CandleName>();

  add({ pools, tokens, shownCandles }: Reverted, wants: WantsRow): void {
    for (const { pool, baseMint } of pools) {
      if (wants('pool', 'pool', pool) || wants('pool', 'mint', baseMint)) this.pools.add(pool);
    }
    for (const { mint } of tokens) if (wants('token', 'mint', mint)) this.tokens.add(mint);
    for (const candle of shownCandles) {
      const { scope, openTimeMs } = candle;
      const isWanted = wants('candles', 'pool', scope) || wants('candles', 'mint', scope);
      if (isWanted) this.candles.set(nameOf(candle), { scope, openTimeMs });
    }
  }

  /** The changes of a slot with the rows of reverted slots that it did not change. */
  takeInto(changes: SlotChanges, source: RevertedSource): SlotChanges {
    if (this.pools.size + this.tokens.size + this.candles.size === 0) return changes;
    for (const { pool } of changes.pools) this.pools.delete(pool);
    for (const { mint } of changes.tokens) this.tokens.delete(mint);
    for (const candle of changes.shownCandles) this.candles.delete(nameOf(candle));
    // Rows that existed only on the abandoned branch are null.
    const isKnown = <Row>(row: Row | null): row is Row => row !== null;
    const pools = [...this.pools].map((pool) => source.pool(pool)).filter(isKnown);
    const tokens = [...this.tokens].map((mint) => source.token(mint)).filter(isKnown);
    // A candle can change again that a reverted slot changed or made final; if the next slot makes it
    // final, it is among the changes.
    const candles = [...this.candles.values()]
      .map(({ scope, openTimeMs }) => source.candle(scope, openTimeMs))
      .filter(isKnown);
    this.clear();
    return {
      ...changes,
      pools: [...changes.pools, ...pools],
      tokens: [...changes.tokens, ...tokens],
      shownCandles: [...changes.shownCandles, ...candles],
    };
  }

  clear(): void {
    this.pools.clear();
    this.tokens.clear();
    this.candles.clear();
  }
}

type Reverted = Pick<SlotChanges, 'pools' | 'tokens' | 'shownCandles'>;

function nameOf({ scope, openTimeMs }: CandleName): string {
  return `${scope} ${openTimeMs}`;
}
