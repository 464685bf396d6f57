import { isDeepStrictEqual } from 'node:util';
import type { PublishedFinding } from './read-finding.ts';

/** An item of a finding, as published and as recomputed. */
export interface ComparedItem {
  readonly item: string;
  readonly isSame: boolean;
  /** Null if the published finding does not contain the item. */
  readonly told: unknown;
  readonly found: unknown;
}

/**
 * Compares everything determined by blocks, item by item: score, features, evidence, wallets and the
 * slot of detection. Times, statuses and reviews depend on the service and are not compared.
 */
export function compareFindings(
  published: PublishedFinding,
  found: PublishedFinding,
): readonly ComparedItem[] {
  const [one, other] = [itemsOf(published), itemsOf(found)];
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
  'detection_slot',
  'bias',
  'raw_score',
  'calibration_version',
  'confidence_score',
  'confidence_level',
  'estimated_value_at_risk',
] as const satisfies readonly (keyof PublishedFinding)[];

/** Items by name; repeated names are numbered. */
function itemsOf(finding: PublishedFinding): ReadonlyMap<string, unknown> {
  const items = new Map<string, unknown>();
  const add = (name: string, value: unknown) => {
    let numbered = name;
    for (let number = 2; items.has(numbered); number++) numbered = `${name} ${number}`;
    items.set(numbered, value);
  };
  for (const field of SCORE_FIELDS) add(field, finding[field]);
  // The confidence without a feature follows from these and the bias.
  for (const { name, measured, threshold, value, weight, contribution } of finding.features) {
    add(`feature ${name}`, { measured, threshold, value, weight, contribution });
  }
  for (const { evidence_type, description, weight, data } of finding.evidence) {
    add(`evidence ${evidence_type}`, { description, weight, data });
  }
  for (const { address, ...wallet } of finding.involved_wallets) add(`wallet ${address}`, wallet);
  return items;
}
