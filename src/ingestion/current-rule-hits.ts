import { ruleKey } from '../model/rule-change.ts';
import type { RuleHit } from '../model/rule-hit.ts';
import {
  type CountedRule,
  isAskedHit,
  type ListedRule,
  type RuleHitListing,
  type RuleHitQuery,
} from '../model/rule-listing.ts';
import { toOutcomeListing } from '../model/signal-listing.ts';
import type { StoredRuleHits } from '../store/reads/rule-hits.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

type RuleHitReads = Pick<StoredRuleHits, 'page' | 'outcomes' | 'counts'>;

/** Hits of rules up to the newest slot: stored ones and unwritten ones. */
export class CurrentRuleHits {
  private readonly stored: RuleHitReads;
  private readonly unwritten: Pick<UnwrittenRows, 'ruleHits' | 'outcomes'>;

  constructor(stored: RuleHitReads, unwritten: Pick<UnwrittenRows, 'ruleHits' | 'outcomes'>) {
    this.stored = stored;
    this.unwritten = unwritten;
  }

  /** The rules with the numbers of their hits. */
  async counted(rules: readonly ListedRule[]): Promise<readonly CountedRule[]> {
    if (rules.length === 0) return [];
    const recent = this.unwritten.ruleHits();
    // Rows that were written since are in both.
    const before = Math.min(...recent.map(({ rowId }) => rowId), Number.MAX_SAFE_INTEGER);
    const counts = new Map(await this.stored.counts(rules.map(ruleKey), before));
    for (const hit of recent) {
      const key = ruleKey(hit);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return rules.map((rule) => ({ ...rule, hitCount: counts.get(ruleKey(rule)) ?? 0 }));
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
