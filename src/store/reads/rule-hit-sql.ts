import { type ConfidenceLevel, LEVEL_RANGES_E4 } from '../../model/finding-page.ts';
import { RULE_HIT } from '../../model/rule-hit.ts';
import { type HitRange, lastRowIdBefore } from '../../model/rule-hit-page.ts';
import type { QueryParams } from '../sql/sql-session.ts';
import { IS_VISIBLE } from '../sql/visible-epoch.ts';

const KEYS: Readonly<Record<HitRange['orderBy'], string>> = {
  detection: 'CAST(slot AS Nullable(Int128))',
  confidence: 'CAST(confidence_e4 AS Nullable(Int128))',
  value_at_risk: 'CAST(NULL AS Nullable(Int128))',
};

/** Hits of several rules in the order of their positions. */
export function hitsInRange(range: HitRange): {
  readonly sql: string;
  readonly params: QueryParams;
} {
  const key = KEYS[range.orderBy];
  const conditions = [IS_VISIBLE, ...filterConditions(range), ...afterConditions(range, key)];
  return {
    sql: `SELECT record FROM rule_hits FINAL
WHERE ${conditions.join('\n  AND ')}
ORDER BY ${key} ${range.orderDir === 'asc' ? 'ASC' : 'DESC'} NULLS LAST, row_id
LIMIT {limit:UInt32}`,
    params: {
      ...Object.fromEntries(range.authors.map((author, at) => [`author${at}`, `${author}/`])),
      kinds: (range.kinds ?? []).join(),
      from: range.fromMs ?? 0,
      to: range.toMs ?? 0,
      mint: range.mint ?? '',
      wallet: range.wallet ?? '',
      through: range.throughSlot ?? 0,
      afterKey: range.after?.key ?? 0n,
      afterRow: range.after === null ? 0 : lastRowIdBefore(range.after),
      limit: range.limit,
    },
  };
}

/** No id of an account has the slash that ends it here. */
function filterConditions({
  authors,
  kinds,
  levels,
  fromMs,
  toMs,
  mint,
  wallet,
  throughSlot,
}: HitRange): string[] {
  const conditions = [anyOf(authors.map((_, at) => `startsWith(rule_key, {author${at}:String})`))];
  if (kinds !== null) conditions.push("has(splitByChar(',', {kinds:String}), kind)");
  if (levels !== null) conditions.push(anyOf(levels.map(isOfLevel)));
  if (fromMs !== null) conditions.push('created_at_ms >= {from:Int64}');
  if (toMs !== null) conditions.push('created_at_ms < {to:Int64}');
  if (mint !== null) conditions.push('mint = {mint:String}');
  if (throughSlot !== null) conditions.push('slot <= {through:UInt64}');
  if (wallet !== null) conditions.push('position(record, {wallet:String}) > 0', NAMES_WALLET);
  return conditions;
}

/** A record is its format, its addresses, and its values: wallets are numbers of addresses. */
const NAMES_WALLET = `has(
    arrayMap(
      at -> JSONExtract(record, 2, 'Array(String)')[at + 1],
      JSONExtract(record, 3, ${placeInRecord('wallets')}, 'Array(UInt32)')
    ),
    {wallet:String}
  )`;

/** From 1, as the database counts. */
function placeInRecord(field: keyof typeof RULE_HIT.fields): number {
  return Object.keys(RULE_HIT.fields).indexOf(field) + 1;
}

function isOfLevel(level: ConfidenceLevel): string {
  const { least, beyond } = LEVEL_RANGES_E4[level];
  const isLow = `confidence_e4 >= ${least}`;
  return beyond === null ? `(${isLow})` : `(${isLow} AND confidence_e4 < ${beyond})`;
}

function anyOf(conditions: readonly string[]): string {
  return `(${conditions.join(' OR ') || 'false'})`;
}

/** Unknown keys are last in both directions, and ties are ordered by number. */
function afterConditions({ after, orderDir }: HitRange, key: string): string[] {
  if (after === null) return [];
  if (after.key === null) return [`(${key} IS NULL AND row_id > {afterRow:UInt64})`];
  const isBeyond = `${key} ${orderDir === 'asc' ? '>' : '<'} {afterKey:Int128}`;
  return [
    `(${key} IS NULL OR ${isBeyond} OR (${key} = {afterKey:Int128} AND row_id > {afterRow:UInt64}))`,
  ];
}
