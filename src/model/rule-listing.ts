import type { PublishedRule } from './rule-change.ts';
import type { RuleHit } from './rule-hit.ts';
import type { OutcomeListing } from './signal-listing.ts';

/** Hits of one rule, newest first. */
export interface RuleHitQuery {
  readonly author: string;
  readonly name: string;
  /** The first digits of its hash; null for all its versions. */
  readonly hash: string | null;
  /** Only hits before this one; null to start with the newest. */
  readonly beforeRowId: number | null;
  readonly limit: number;
}

/** Whether a hit is one of those asked for, except for the limit. */
export function isAskedHit(hit: RuleHit, query: RuleHitQuery): boolean {
  if (hit.author !== query.author || hit.name !== query.name) return false;
  return hit.rowId < (query.beforeRowId ?? Infinity) && hit.hash.startsWith(query.hash ?? '');
}

/** A hit with the outcome of its signal as of now; null for other kinds. */
export interface RuleHitListing extends RuleHit {
  readonly outcome: OutcomeListing | null;
}

/** A rule as its author and others see it. */
export interface ListedRule extends PublishedRule {
  readonly version: number;
  readonly hash: string;
  readonly kind: string;
  readonly title: string;
  readonly scope: string;
  /** False until a slot has taken it up, within seconds while a chain is followed. */
  readonly isJudged: boolean;
}

/** The outcome of a publication. */
export type RulePublication =
  | { readonly kind: 'changed' | 'same'; readonly rule: ListedRule }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** A rule of the name has this version, which must be raised. */
  | { readonly kind: 'old'; readonly version: number }
  | { readonly kind: 'full'; readonly rulesMax: number };
