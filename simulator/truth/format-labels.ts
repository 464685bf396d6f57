import type { Labels } from './labels.ts';

/** Incremented when a field changes its meaning or is removed, not for new fields. */
export const LABELS_FORMAT = 1;

/**
 * Formats the labels as a JSON document, for external evaluation of detectors:
 *
 *     { "format": 1,
 *       "wallets": { "<address>": { "automation", "isSmart", "behaviour" } },
 *       "attacks": [ { "type", "difficulty", "mint", "roles": { "<address>": "<role>" },
 *                      "fundedFromSlot" (null: no funding), "startSlot",
 *                      "endSlot" (null while in progress), "seed", "knobs": { "<knob>": value } }
 *   ],
 *       "benign":  [ { "family", "mint", "wallets": [ "<address>" ], "startSlot", "endSlot",
 *                      "seed", "knobs" } ] }
 *
 * Names are those of `labels.ts`, including any further fields. Maps are objects, sets are lists,
 * both in insertion order; large integers are strings.
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
