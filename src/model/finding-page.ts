import type { Classification, FraudType } from './fraud.ts';
import type { ClassificationStatus, JudgedClassification } from './fraud-review.ts';
import type { Address } from './units.ts';

/** Levels of confidence, highest first, by the names the wire uses. */
export const CONFIDENCE_LEVELS = ['critical', 'high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** The levels that are reported: of a confidence of at least 0.5. */
export const PUBLISHED_LEVELS = ['critical', 'high', 'medium'] as const;

/** The least confidence of each level in ten-thousandths: confidence has four decimals. */
export const LEVEL_MIN_E4: Readonly<Record<ConfidenceLevel, number>> = {
  critical: 9_000,
  high: 7_000,
  medium: 5_000,
  low: 0,
};

/** The range of each level in ten-thousandths; `beyond` is exclusive and null for the highest. */
export const LEVEL_RANGES_E4 = Object.fromEntries(
  CONFIDENCE_LEVELS.map((level, at) => {
    const higher = CONFIDENCE_LEVELS[at - 1];
    return [level, { least: LEVEL_MIN_E4[level], beyond: higher ? LEVEL_MIN_E4[higher] : null }];
  }),
) as Readonly<Record<ConfidenceLevel, { readonly least: number; readonly beyond: number | null }>>;

/** Confidence in ten-thousandths, which are exact. */
export function confidenceE4(confidence: number): number {
  return Math.round(confidence * 10_000);
}

export function levelOf(confidence: number): ConfidenceLevel {
  const e4 = confidenceE4(confidence);
  return CONFIDENCE_LEVELS.find((level) => e4 >= LEVEL_MIN_E4[level]) ?? 'low';
}

export const FINDING_ORDERS = ['detection', 'confidence', 'value_at_risk'] as const;

/** `detection`: by the slot in which it was first reported. */
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** Which findings to list. Null: any. */
export interface FindingFilter {
  readonly fraudTypes: readonly FraudType[] | null;
  readonly levels: readonly ConfidenceLevel[];
  /** Range of the time at which it was first found. */
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
  readonly mint: Address | null;
  /** Only findings that involve this wallet. */
  readonly wallet: Address | null;
}

/** A position in the list: by the key of its order, unknown keys last, then by id. */
export interface FindingPosition {
  /**
   * Detection slot, confidence in ten-thousandths, or value at risk in nano-dollars. Null is
   * unknown.
   */
  readonly key: bigint | null;
  readonly id: string;
}

export interface FindingRange extends FindingFilter {
  readonly orderBy: FindingOrder;
  readonly orderDir: 'asc' | 'desc';
  /** Only findings after this one; null for the first page. */
  readonly after: FindingPosition | null;
  readonly limit: number;
}

export interface FindingQuery extends FindingRange {
  readonly statuses: readonly ClassificationStatus[];
}

export interface FindingPage {
  readonly findings: readonly JudgedClassification[];
  /** Null on the last page. */
  readonly next: FindingPosition | null;
}

export function findingPosition(
  { id, detectionSlot, finding }: Classification,
  orderBy: FindingOrder,
): FindingPosition {
  if (orderBy === 'confidence') return { key: BigInt(confidenceE4(finding.confidence)), id };
  if (orderBy === 'value_at_risk') return { key: finding.valueAtRiskUsd, id };
  return { key: detectionSlot === null ? null : BigInt(detectionSlot), id };
}

/** Compares positions in an order: unknown keys last in both directions, ties by id. */
export function compareFindings(
  orderDir: FindingRange['orderDir'],
): (one: FindingPosition, other: FindingPosition) => number {
  return (one, other) => {
    if (one.key === other.key) return one.id < other.id ? -1 : Number(one.id > other.id);
    if (one.key === null) return 1;
    if (other.key === null) return -1;
    return one.key < other.key === (orderDir === 'asc') ? -1 : 1;
  };
}

/** Whether a finding is in a list, apart from its status. */
export function matchesFilter(
  { finding, createdMs }: Classification,
  { fraudTypes, levels, fromMs, toMs, mint, wallet }: FindingFilter,
): boolean {
  if (fraudTypes !== null && !fraudTypes.includes(finding.fraudType)) return false;
  if (!levels.includes(levelOf(finding.confidence))) return false;
  if (fromMs !== null && createdMs < fromMs) return false;
  if (toMs !== null && createdMs >= toMs) return false;
  if (mint !== null && finding.mint !== mint) return false;
  return wallet === null || finding.wallets.some(({ address }) => address === wallet);
}
