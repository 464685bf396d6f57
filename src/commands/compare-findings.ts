import { isDeepStrictEqual } from 'node:util';
import type { PublishedFinding } from './read-finding.ts';

/** One thing that two tellings of a finding say. */
export interface ComparedItem {
  readonly item: string;
  readonly isSame: boolean;
  /** Null where that telling does not have it. */
  readonly told: unknown;
  readonly found: unknown;
}

/**
 * Everything that blocks decide, item by item: score, features, evidence and wallets. Times of first
 * sight, statuses and reviews are the service's own.
 */
export function compareFindings(
  told: PublishedFinding,
  found: PublishedFinding,
): readonly ComparedItem[] {
  const [one, other] = [itemsOf(told), itemsOf(found)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].map((item) => {
    const values = { told: one.get(item) ?? null, found: other.get(item) ?? null };
    return { item, isSame: isDeepStrictEqual(values.told, values.found), ...values };
  });
}

const SCORE_FIELDS = [
  'fraud_type',
  'token_address',
  'pair_address',
  'pattern_start_slot',
  'bias',
  'raw_score',
  'calibration_version',
  'confidence_score',
  'confidence_level',
  'estimated_value_at_risk',
] as const satisfies readonly (keyof PublishedFinding)[];

/** By name; what occurs twice is numbered. */
function itemsOf(finding: PublishedFinding): ReadonlyMap<string, unknown> {
  const items = new Map<string, unknown>();
  const add = (name: string, value: unknown) => {
    let numbered = name;
    for (let number = 2; items.has(numbered); number++) numbered = `${name} ${number}`;
    items.set(numbered, value);
  };
  for (const field of SCORE_FIELDS) add(field, finding[field]);
  // What the confidence is without a feature follows from these and the bias.
  for (const { name, measured, threshold, value, weight, contribution } of finding.features) {
    add(`feature ${name}`, { measured, threshold, value, weight, contribution });
  }
  for (const { evidence_type, description, weight, data } of finding.evidence) {
    add(`evidence ${evidence_type}`, { description, weight, data });
  }
  for (const { address, ...wallet } of finding.involved_wallets) add(`wallet ${address}`, wallet);
  return items;
}
