import {
  added,
  type Described,
  float,
  type Json,
  list,
  nullable,
  plain,
  record,
  text,
} from './codec.ts';
import type { Relationship } from './fraud.ts';
import type { Slot } from './units.ts';
import { address, maybePrice, signature } from './value-codecs.ts';

/** Kinds of hits: of rules that are judged at the end of a minute, and `fraud` for those of cases. */
export const HIT_KINDS = ['signal', 'alert', 'label', 'fraud'] as const;

/** Bounds of what a hit of kind fraud names. */
export const HIT_WALLETS_MAX = 100;
export const HIT_SIGNATURES_MAX = 50;
export const HIT_LINKS_MAX = 100;

export type HitKind = (typeof HIT_KINDS)[number];

/** The value of a feature; null if unknown. */
export type ShownValue = number | boolean | string | readonly number[] | null;

export const SHOWN_FEATURE = record({ name: text, value: plain<Json & ShownValue>() });

/** A feature as the rule saw it. */
export interface ShownFeature extends Described<typeof SHOWN_FEATURE> {}

export const HIT_LINK = record({
  one: address,
  other: address,
  relationship: plain<Relationship>(),
  /** From 0 to 1, of all indications for this pair together. */
  strength: float,
  /** The address behind both, such as a common funder; null without one. */
  via: nullable(address),
});

/** What joins two wallets of a cluster. */
export interface HitLink extends Described<typeof HIT_LINK> {}

export const RULE_HIT = record({
  /** From 1, in the order in which rules passed. */
  rowId: plain<number>(),
  author: text,
  name: text,
  version: plain<number>(),
  /** Of the canonical content, 64 hex digits. */
  hash: text,
  kind: plain<HitKind>(),
  /** Of a rule of kind label, else null. */
  label: nullable(text),
  mint: address,
  /** The pool judged; of a case, the pool that prices the token, or the one traded last. */
  pool: address,
  /**
   * The slot that ended the minute. None of its data was used, and no trade on the hit can happen
   * before it. Of a case, the slot at whose end it was judged.
   */
  slot: plain<Slot>(),
  /** Logical time of that slot. */
  createdAtMs: plain<number>(),
  /** The features are as of this slot, the last of the minute. Of a case, the same slot. */
  asOfSlot: plain<Slot>(),
  /** From 0 to 1. */
  confidence: float,
  reasons: list(text),
  evidence: list(SHOWN_FEATURE),
  priceUsd: maybePrice,
  /** The signal that it is, for kind signal. */
  signalRowId: plain<number | null>(),
  /**
   * For kind fraud: the members of the cluster that passed, or the wallets of the groups whose
   * figures the rule reads, most important first; at most HIT_WALLETS_MAX. Empty for a rule that
   * reads no group, and for other kinds.
   */
  wallets: added(list(address), []),
  /** Their transactions that are evidence, at most HIT_SIGNATURES_MAX. */
  signatures: added(list(signature), []),
  /** Of a rule of the scope cluster: what joins its members, strongest first; at most HIT_LINKS_MAX. */
  links: added(list(HIT_LINK), []),
});

/** A rule that passed for a pool at the end of a minute, or for a case. Never changes. */
export interface RuleHit extends Described<typeof RULE_HIT> {}

/** `name@version+hash`, with the first 16 digits of the hash. */
export function ruleIdOf({
  name,
  version,
  hash,
}: Pick<RuleHit, 'name' | 'version' | 'hash'>): string {
  return `${name}@${version}+${hash.slice(0, 16)}`;
}

const ID =
  /^(?<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:@(?<version>[0-9]{1,7})(?:\+(?<hash>[0-9a-f]{16}))?)?$/;

/** The name and the first digits of the hash of `name`, or of `name@version+hash`; null otherwise. */
export function parseRuleId(id: string): { name: string; hash: string | null } | null {
  const groups = ID.exec(id)?.groups;
  if (groups?.name === undefined) return null;
  // A version without its hash is not enough: a version may have been published twice.
  if (groups.version !== undefined && groups.hash === undefined) return null;
  return { name: groups.name, hash: groups.hash ?? null };
}
