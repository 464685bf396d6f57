import { formatShare } from '../lib/format-share.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { Address } from '../model/units.ts';

/** Maximum number of listed programs; the totals include all. */
const LISTED_MAX = 100;

/** Counts the inferred swaps of recorded transactions by program. */
export class InferredReport {
  private swaps = 0;
  private inferred = 0;
  private readonly byProgram = new Map<Address, number>();

  add({ transactions }: Pick<SlotFacts, 'transactions'>): void {
    for (const { events } of transactions) {
      for (const event of events) {
        if (event.kind !== 'swap') continue;
        this.swaps++;
        const { program } = event;
        if (program === undefined) continue;
        this.inferred++;
        this.byProgram.set(program, (this.byProgram.get(program) ?? 0) + 1);
      }
    }
  }

  /** Programs by number of swaps, descending; ties by address. */
  summary() {
    const { swaps, inferred } = this;
    return {
      swaps,
      inferred,
      share: swaps === 0 ? null : `${formatShare(100 * inferred, swaps, 2)} %`,
      programs: [...this.byProgram]
        .map(([program, count]) => ({ program, swaps: count }))
        .sort((one, other) => other.swaps - one.swaps || (one.program < other.program ? -1 : 1))
        .slice(0, LISTED_MAX),
    };
  }
}
