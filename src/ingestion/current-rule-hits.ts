import { compareFindings } from '../model/finding-page.ts';
import { ruleKey } from '../model/rule-change.ts';
import type { RuleHit } from '../model/rule-hit.ts';
import { type HitPage, type HitRange, hitPosition, isHitInRange } from '../model/rule-hit-page.ts';
import {
  type CountedRule,
  isAskedHit,
  type ListedRule,
  type RuleHitListing,
  type RuleHitQuery,
} from '../model/rule-listing.ts';
import type { Outcome } from '../model/signal.ts';
import { toOutcomeListing } from '../model/signal-listing.ts';
import type { StoredRuleHits } from '../store/reads/rule-hits.ts';
import type { UnwrittenRows } from './unwritten-rows.ts';

type RuleHitReads = Pick<StoredRuleHits, 'page' | 'range' | 'outcomes' | 'counts'>;

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
    const counts = await this.counts(rules.map(ruleKey));
    return rules.map((rule) => ({ ...rule, hitCount: counts.get(ruleKey(rule)) ?? 0 }));
  }

  /** The numbers of hits by `ruleKey`, of all versions; none for those without hits. */
  async counts(keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (keys.length === 0) return new Map();
    const recent = this.unwritten.ruleHits();
    // Rows that were written since are in both.
    const before = Math.min(...recent.map(({ rowId }) => rowId), Number.MAX_SAFE_INTEGER);
    const counts = new Map(await this.stored.counts(keys, before));
    for (const hit of recent) {
      const key = ruleKey(hit);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
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
    return this.withOutcomes(listed, outcomes);
  }

  /** One page of the hits of several rules. */
  async page(range: HitRange): Promise<HitPage> {
    const outcomes = this.unwritten.outcomes();
    const recent = this.unwritten.ruleHits().filter((hit) => isHitInRange(hit, range));
    const { orderBy, orderDir, limit } = range;
    const stored = await this.stored.range({ ...range, limit: limit + 1 });
    // Rows that were written since are in both.
    const hits = new Map([...stored, ...recent].map((hit) => [hit.rowId, hit]));
    const compare = compareFindings(orderDir);
    const found = [...hits.values()]
      .map((hit) => ({ hit, position: hitPosition(hit, orderBy) }))
      .sort((one, other) => compare(one.position, other.position));
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      hits: await this.withOutcomes(
        shown.map(({ hit }) => hit),
        outcomes,
      ),
      next: last?.position ?? null,
    };
  }

  private async withOutcomes(
    hits: readonly RuleHit[],
    newest: ReadonlyMap<number, Outcome>,
  ): Promise<readonly RuleHitListing[]> {
    const stored = await this.stored.outcomes(hits.flatMap(({ signalRowId }) => signalRowId ?? []));
    return hits.map((hit) => {
      const current = newest.get(hit.signalRowId ?? 0);
      const outcome =
        current === undefined ? stored.get(hit.signalRowId ?? 0) : toOutcomeListing(current);
      return { ...hit, outcome: outcome ?? null };
    });
  }
}
