import {
  type ConfidenceLevel,
  compareFindings,
  confidenceE4,
  type FindingPage,
  type FindingPosition,
  type FindingRange,
  levelOf,
} from './finding-page.ts';
import type { JudgedClassification } from './fraud-review.ts';
import type { HitKind, RuleHit } from './rule-hit.ts';
import type { RuleHitListing } from './rule-listing.ts';
import type { Slot } from './units.ts';

/** Whose results a list has beside or instead of those of the built-in detectors and models. */
export interface AskedAuthors {
  readonly isBuiltIn: boolean;
  /** Accounts, or OPERATOR. */
  readonly ofRules: readonly string[];
}

/** Which hits of several rules to list. Null: any. */
export interface HitFilter {
  /** Accounts, or OPERATOR; of no others. */
  readonly authors: readonly string[];
  readonly kinds: readonly HitKind[] | null;
  readonly levels: readonly ConfidenceLevel[] | null;
  /** Range of the time at which the rule passed. */
  readonly fromMs: number | null;
  /** Exclusive. */
  readonly toMs: number | null;
  readonly mint: FindingRange['mint'];
  /** Only hits that name this wallet. */
  readonly wallet: FindingRange['wallet'];
  /** Only hits of slots up to this one. */
  readonly throughSlot: Slot | null;
}

/** Hits in the orders of findings, so that both can be listed together. */
export interface HitRange
  extends HitFilter,
    Pick<FindingRange, 'orderBy' | 'orderDir' | 'after' | 'limit'> {}

export interface HitPage {
  readonly hits: readonly RuleHitListing[];
  /** Null on the last page. */
  readonly next: FindingPosition | null;
}

/** Findings and hits in one order: `next` is a position among both. */
export interface FindingsWithHits extends FindingPage {
  readonly hits: readonly RuleHitListing[];
}

/** The findings of a token with hits of rules of kind fraud. */
export interface CheckWithHits {
  readonly findings: readonly JudgedClassification[];
  readonly hits: readonly RuleHitListing[];
}

const ROW_DIGITS = 16;
const POSITION_ID = new RegExp(`^h[0-9]{${ROW_DIGITS}}$`);

/**
 * The position of a hit in a list: by its slot or its confidence. No value is at risk that is known.
 * The ids sort after those of all findings, and among themselves by number.
 */
export function hitPosition(
  { rowId, slot, confidence }: RuleHit,
  orderBy: FindingRange['orderBy'],
): FindingPosition {
  const id = `h${String(rowId).padStart(ROW_DIGITS, '0')}`;
  if (orderBy === 'confidence') return { key: BigInt(confidenceE4(confidence)), id };
  return { key: orderBy === 'detection' ? BigInt(slot) : null, id };
}

/** Whether a text is the id of a hit in a position. */
export function isHitPositionId(id: string): boolean {
  return POSITION_ID.test(id);
}

/** The hits with this number and lower ones are before a position that they tie with; 0 for none. */
export function lastRowIdBefore({ id }: FindingPosition): number {
  return isHitPositionId(id) ? Number(id.slice(1)) : 0;
}

/** Whether a hit is in a range, apart from its limit. */
export function isHitInRange(hit: RuleHit, range: HitRange): boolean {
  const { after, orderBy, orderDir } = range;
  if (!matchesHitFilter(hit, range)) return false;
  return after === null || compareFindings(orderDir)(after, hitPosition(hit, orderBy)) < 0;
}

function matchesHitFilter(hit: RuleHit, filter: HitFilter): boolean {
  const { authors, kinds, levels, fromMs, toMs, mint, wallet, throughSlot } = filter;
  if (!authors.includes(hit.author) || !(kinds?.includes(hit.kind) ?? true)) return false;
  if (!(levels?.includes(levelOf(hit.confidence)) ?? true)) return false;
  if (hit.createdAtMs < (fromMs ?? -Infinity) || hit.createdAtMs >= (toMs ?? Infinity))
    return false;
  if (hit.slot > (throughSlot ?? Infinity) || hit.mint !== (mint ?? hit.mint)) return false;
  return wallet === null || hit.wallets.includes(wallet);
}
