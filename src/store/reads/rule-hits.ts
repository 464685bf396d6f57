import { ruleKey } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { HitRange } from '../../model/rule-hit-page.ts';
import type { RuleHitQuery } from '../../model/rule-listing.ts';
import type { OutcomeListing } from '../../model/signal-listing.ts';
import { numeric, type StoredRow, text } from '../sql/columns.ts';
import { EpochReads } from '../sql/epoch-reads.ts';
import type { Lane } from '../sql/lane.ts';
import { IS_VISIBLE, type VisibleEpoch } from '../sql/visible-epoch.ts';
import { ruleHitTable } from '../tables/rule-hit-table.ts';
import { outcomeListing } from '../tables/signal-tables.ts';
import { hitsInRange } from './rule-hit-sql.ts';

const PAGE = `
SELECT record
FROM rule_hits FINAL
WHERE ${IS_VISIBLE} AND rule_key = {rule:String} AND startsWith(hash, {hash:String})
  AND row_id < {before:UInt64}
ORDER BY row_id DESC
LIMIT {limit:UInt32}`;

/** A parameter with keys of rules, one on each line. */
const COUNTS = `
SELECT rule_key, count() AS hits
FROM rule_hits FINAL
WHERE ${IS_VISIBLE} AND has(splitByChar('\\n', {rules:String}), rule_key)
  AND row_id < {before:UInt64}
GROUP BY rule_key`;

/** A parameter with comma-separated numbers. */
const OUTCOMES = `
SELECT ${outcomeListing.names.join(', ')}
FROM signal_outcomes FINAL
WHERE ${IS_VISIBLE} AND has(splitByChar(',', {rows:String}), toString(row_id))
  AND row_id BETWEEN {from:UInt64} AND {to:UInt64}`;

const toOutcome = outcomeListing.reader();
const toKey = text('rule_key').reader();
const toHits = numeric('hits').reader();

/** Hits of rules as last written. */
export class StoredRuleHits {
  private readonly reads: EpochReads;

  constructor(lane: Lane, visible: VisibleEpoch) {
    this.reads = new EpochReads(lane, visible);
  }

  /** Newest first. */
  page(query: RuleHitQuery): Promise<RuleHit[]> {
    return this.reads.all(PAGE, ruleHitTable.read, {
      rule: ruleKey(query),
      hash: query.hash ?? '',
      before: query.beforeRowId ?? Number.MAX_SAFE_INTEGER,
      limit: query.limit,
    });
  }

  /** Hits of several rules in the order of the range. */
  range(range: HitRange): Promise<RuleHit[]> {
    const { sql, params } = hitsInRange(range);
    return this.reads.all(sql, ruleHitTable.read, params);
  }

  /** Numbers of hits before a row, by the keys of their rules; without rules that have none. */
  async counts(keys: readonly string[], before: number): Promise<ReadonlyMap<string, number>> {
    const parameters = { rules: keys.join('\n'), before };
    return new Map(await this.reads.all(COUNTS, toCount, parameters));
  }

  /** Outcomes of signals, by their numbers. */
  async outcomes(rowIds: readonly number[]): Promise<ReadonlyMap<number, OutcomeListing>> {
    if (rowIds.length === 0) return new Map();
    const [from, to] = [Math.min(...rowIds), Math.max(...rowIds)];
    const found = await this.reads.all(OUTCOMES, toOutcome, { rows: rowIds.join(), from, to });
    return new Map(found.map(({ rowId, ...outcome }) => [rowId, outcome]));
  }
}

function toCount(row: StoredRow): readonly [key: string, hits: number] {
  return [toKey(row), toHits(row)];
}
