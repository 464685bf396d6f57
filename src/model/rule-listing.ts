import type { PublishedRule } from './rule-change.ts';
import type { RuleHit } from './rule-hit.ts';
import type { Outcome, Signal } from './signal.ts';
import {
  type OutcomeListing,
  type RuleSignalListing,
  toOutcomeListing,
  toRuleListing,
} from './signal-listing.ts';

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

/**
 * Hits of one author in one slot that are streamed and delivered, and signals likewise; lists have
 * the others too.
 */
export const ANNOUNCED_HITS_MAX = 1_000;

/**
 * The hits of a slot that are streamed and delivered, with the outcomes of their signals as of the
 * slot.
 */
export function* announcedHits(
  hits: readonly RuleHit[],
  outcomes: readonly Outcome[],
): Generator<RuleHitListing> {
  if (hits.length === 0) return;
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.rowId, outcome]));
  for (const hit of firstOfEachAuthor(hits, ({ author }) => author)) {
    const outcome = outcomeOf.get(hit.signalRowId ?? 0);
    yield { ...hit, outcome: outcome === undefined ? null : toOutcomeListing(outcome) };
  }
}

/** The signals of rules of a slot that are streamed, with their outcomes as of the slot. */
export function announcedSignals(
  signals: readonly Signal[],
  outcomes: ReadonlyMap<number, Outcome>,
): Iterable<RuleSignalListing> {
  const listed = signals.flatMap((signal) => {
    const outcome = outcomes.get(signal.rowId);
    return (outcome && toRuleListing(signal, outcome)) ?? [];
  });
  return firstOfEachAuthor(listed, ({ rule }) => rule.author);
}

/**
 * Rules of one account that pass for everything must not delay the slot or displace what is for
 * others.
 */
function* firstOfEachAuthor<Item>(
  items: readonly Item[],
  authorOf: (item: Item) => string,
): Generator<Item> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const author = authorOf(item);
    const count = (counts.get(author) ?? 0) + 1;
    if (count > ANNOUNCED_HITS_MAX) continue;
    counts.set(author, count);
    yield item;
  }
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

/** A rule in a list, with the number of hits of all its versions up to the newest slot. */
export interface CountedRule extends ListedRule {
  readonly hitCount: number;
}

/** The outcome of a publication. */
export type RulePublication =
  | { readonly kind: 'changed' | 'same'; readonly rule: ListedRule }
  | { readonly kind: 'refused'; readonly problems: readonly string[] }
  /** A rule of the name has this version, which must be raised. */
  | { readonly kind: 'old'; readonly version: number }
  | { readonly kind: 'full'; readonly rulesMax: number };
