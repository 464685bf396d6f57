import type { SlotChanges } from '../model/derived.ts';
import type { StreamTopic, SubjectProperty } from '../model/slot-frame.ts';
import type { Address } from '../model/units.ts';
import type { LiveEngine } from './live-rows.ts';

/** Whether a subject is wanted by some subscription. */
export type WantsRow = (topic: StreamTopic, property: SubjectProperty, value: string) => boolean;

/**
 * Pools and tokens of reverted slots. Their records have previous values again, which are published
 * with the next slot even if that does not change them.
 */
export class RevertedRows {
  private readonly pools = new Set<Address>();
  private readonly tokens = new Set<Address>();

  add({ pools, tokens }: Pick<SlotChanges, 'pools' | 'tokens'>, wants: WantsRow): void {
    for (const { pool, baseMint } of pools) {
      if (wants('pool', 'pool', pool) || wants('pool', 'mint', baseMint)) this.pools.add(pool);
    }
    for (const { mint } of tokens) if (wants('token', 'mint', mint)) this.tokens.add(mint);
  }

  /** The changes of a slot with the rows of reverted slots that it did not change. */
  takeInto(changes: SlotChanges, engine: Pick<LiveEngine, 'pool' | 'token'>): SlotChanges {
    if (this.pools.size + this.tokens.size === 0) return changes;
    for (const { pool } of changes.pools) this.pools.delete(pool);
    for (const { mint } of changes.tokens) this.tokens.delete(mint);
    // Rows that existed only on the abandoned branch are null.
    const pools = [...this.pools].map((pool) => engine.pool(pool)).filter((row) => row !== null);
    const tokens = [...this.tokens].map((mint) => engine.token(mint)).filter((row) => row !== null);
    this.clear();
    return {
      ...changes,
      pools: [...changes.pools, ...pools],
      tokens: [...changes.tokens, ...tokens],
    };
  }

  clear(): void {
    this.pools.clear();
    this.tokens.clear();
  }
}
