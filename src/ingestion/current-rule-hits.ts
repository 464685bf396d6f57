import type { RuleHit } from '../model/rule-hit.ts';
import { isAskedHit, type RuleHitListing, type RuleHitQuery } from '../model/rule-listing.ts';
import { toOutcomeListing } from '../model/signal-listing.ts';
import type { StoredRuleHits } from '../store/reads/rule-hits.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

/** Hits of rules up to the newest slot: stored ones and unwritten ones. */
export class CurrentRuleHits {
  private readonly stored: Pick<StoredRuleHits, 'page' | 'outcomes'>;
  private readonly unwritten: UnwrittenRows;

  constructor(stored: Pick<StoredRuleHits, 'page' | 'outcomes'>, unwritten: UnwrittenRows) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** Newest first. */
  async list(query: RuleHitQuery): Promise<readonly RuleHitListing[]> {
    const outcomes = this.unwritten.outcomes();
    const recent = this.unwritten.ruleHits().filter((hit) => isAskedHit(hit, query));
    // Rows that were written since are in both.
    const hits = new Map((await this.stored.page(query)).map((hit) => [hit.rowId, hit]));
    for (const hit of recent) hits.set(hit.rowId, hit);
    const listed = [...hits.values()]
      .sort((one, other) => other.rowId - one.rowId)
      .slice(0, query.limit);
    const stored = await this.stored.outcomes(
      listed.flatMap(({ signalRowId }) => signalRowId ?? []),
    );
    return listed.map((hit) => {
      const newest = outcomes.get(hit.signalRowId ?? 0);
      const outcome =
        newest === undefined ? stored.get(hit.signalRowId ?? 0) : toOutcomeListing(newest);
      return { ...hit, outcome: outcome ?? null } satisfies RuleHit & RuleHitListing;
    });
  }
}
