import { isDeepStrictEqual } from 'node:util';
import type { PublishedHit } from './read-hit.ts';

/** An item of a hit, as published and as recomputed; null where one does not have it. */
export interface ComparedHitItem {
  readonly item: string;
  readonly is_same: boolean;
  readonly told: unknown;
  readonly found: unknown;
}

const FIELDS = [
  'kind',
  'label',
  'token_address',
  'pair_address',
  'slot',
  'as_of_slot',
  'confidence',
  'reasons',
  'price_usd',
  'wallets',
  'signatures',
  'links',
] as const satisfies readonly (keyof PublishedHit)[];

/** Compares everything that blocks determine. Numbers of rows and outcomes are not compared. */
export function compareHits(told: PublishedHit, found: PublishedHit): readonly ComparedHitItem[] {
  const [one, other] = [itemsOf(told), itemsOf(found)];
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].map((item) => {
    const values = { told: one.get(item) ?? null, found: other.get(item) ?? null };
    return { item, is_same: isDeepStrictEqual(values.told, values.found), ...values };
  });
}

function itemsOf(hit: PublishedHit): ReadonlyMap<string, unknown> {
  const fields = FIELDS.map((field) => [field, hit[field]] as const);
  const evidence = hit.evidence.map(({ name, value }) => [`evidence ${name}`, value] as const);
  return new Map<string, unknown>([...fields, ...evidence]);
}
