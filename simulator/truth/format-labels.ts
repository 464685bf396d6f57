import type { Labels } from './labels.ts';

/** Raised when a field changes its meaning or goes; new fields alone do not. */
export const LABELS_FORMAT = 1;

/**
 * The labels as a JSON document, for whoever judges detectors from outside:
 *
 *     { "format": 1,
 *       "wallets": { "<address>": { "automation", "isSmart", "behaviour" } },
 *       "attacks": [ { "type", "difficulty", "mint", "roles": { "<address>": "<role>" },
 *                      "fundedFromSlot" (null: nobody was paid), "startSlot",
 *                      "endSlot" (null while it goes on), "seed", "knobs": { "<knob>": value } } ],
 *       "benign":  [ { "family", "mint", "wallets": [ "<address>" ], "startSlot", "endSlot",
 *                      "seed", "knobs" } ] }
 *
 * Names are those of `labels.ts`, with whatever further fields stand there. Maps are objects, sets
 * are lists, both in the order in which the simulation filled them; large integers are strings.
 */
export function formatLabels({ wallets, attacks, benign }: Labels): string {
  const document = { format: LABELS_FORMAT, wallets, attacks, benign };
  return `${JSON.stringify(document, toPlain, 1)}\n`;
}

function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  return typeof value === 'bigint' ? value.toString() : value;
}
