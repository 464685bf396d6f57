import {
  type ConfidenceLevel,
  type FindingOrder,
  type FindingRange,
  LEVEL_RANGES_E4,
} from '../../model/finding-page.ts';
import type { ClassificationState } from '../../model/fraud.ts';
import type { QueryParams } from '../sql/sql-session.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';

/** Which findings to read, beside their range. */
export interface FindingSelection {
  /** States of the findings; null for any. */
  readonly states: readonly ClassificationState[] | null;
  /** Only findings with these ids; null for any. */
  readonly ids: readonly string[] | null;
}

interface RangeSql {
  readonly sql: string;
  readonly params: QueryParams;
}

const CONFIDENCE_E4 = 'toInt64(round(confidence * 10000))';

const KEYS: Readonly<Record<FindingOrder, string>> = {
  detection: 'CAST(detection_slot AS Nullable(Int128))',
  confidence: `CAST(${CONFIDENCE_E4} AS Nullable(Int128))`,
  value_at_risk: 'value_at_risk_usd',
};

/** Ids and keys of findings in the order of their positions, without the records. */
export function findingsInRange(range: FindingRange, selection: FindingSelection): RangeSql {
  const key = KEYS[range.orderBy];
  const direction = range.orderDir === 'asc' ? 'ASC' : 'DESC';
  const conditions = [
    IS_VISIBLE,
    ...selectionConditions(selection),
    ...filterConditions(range),
    ...afterConditions(range, key),
  ];
  return {
    sql: `SELECT id, ${key} AS key FROM newest_classifications FINAL
WHERE ${conditions.join('\n  AND ')}
ORDER BY key ${direction} NULLS LAST, id LIMIT {limit:UInt32}`,
    params: {
      limit: range.limit,
      states: (selection.states ?? []).join(),
      ids: (selection.ids ?? []).join(),
      types: (range.fraudTypes ?? []).join(),
      from: range.fromMs ?? 0,
      to: range.toMs ?? 0,
      mint: range.mint ?? '',
      wallet: range.wallet ?? '',
      afterKey: range.after?.key ?? 0n,
      afterId: range.after?.id ?? '',
    },
  };
}

/** The newest versions of findings, given as a comma-separated list of ids. */
export const FINDINGS_BY_ID = `SELECT record FROM newest_classifications FINAL
WHERE ${IS_VISIBLE} AND id IN (SELECT arrayJoin(splitByChar(',', {ids:String})))`;

function selectionConditions({ states, ids }: FindingSelection): string[] {
  return [
    ...(states === null ? [] : [isOneOf('state', 'states')]),
    ...(ids === null ? [] : ["id IN (SELECT arrayJoin(splitByChar(',', {ids:String})))"]),
  ];
}

function filterConditions({ fraudTypes, levels, fromMs, toMs, mint, wallet }: FindingRange) {
  const conditions = [`(${levels.map(isOfLevel).join(' OR ') || 'false'})`];
  if (fraudTypes !== null) conditions.push(isOneOf('fraud_type', 'types'));
  if (fromMs !== null) conditions.push('created_ms >= {from:Int64}');
  if (toMs !== null) conditions.push('created_ms < {to:Int64}');
  if (mint !== null) {
    conditions.push(
      `id IN (SELECT id FROM classifications WHERE ${IS_VISIBLE} AND mint = {mint:String})`,
    );
  }
  if (wallet !== null) {
    conditions.push(
      `id IN (SELECT id FROM classification_wallets WHERE ${IS_VISIBLE} AND wallet = {wallet:String})`,
      "has(splitByChar(',', wallets), {wallet:String})",
    );
  }
  return conditions;
}

function isOneOf(column: string, parameter: string): string {
  return `has(splitByChar(',', {${parameter}:String}), ${column})`;
}

function isOfLevel(level: ConfidenceLevel): string {
  const { least, beyond } = LEVEL_RANGES_E4[level];
  const isLow = `${CONFIDENCE_E4} >= ${least}`;
  return beyond === null ? `(${isLow})` : `(${isLow} AND ${CONFIDENCE_E4} < ${beyond})`;
}

/** Unknown keys are last in both directions, and ties are ordered by id. */
function afterConditions({ after, orderDir }: FindingRange, key: string): string[] {
  if (after === null) return [];
  if (after.key === null) return [`(${key} IS NULL AND id > {afterId:String})`];
  const isBeyond = `${key} ${orderDir === 'asc' ? '>' : '<'} {afterKey:Int128}`;
  return [
    `(${key} IS NULL OR ${isBeyond} OR (${key} = {afterKey:Int128} AND id > {afterId:String}))`,
  ];
}
