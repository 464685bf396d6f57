import type { ExactBundle } from '../../model/bundle-oracle.ts';
import { isSignature, type Signature, type Slot } from '../../model/units.ts';

/** Bundles of one slot: each has a transaction at least, and a slot has fewer than this many. */
const BUNDLES_MAX = 10_000;
/** More than any bundle has, so that a longer list is not one. */
const SIGNATURES_MAX = 64;

/**
 * The bundles of two transactions or more in an answer about one slot, or what is wrong with it. An
 * entry is `{"bundleId", "slot", "validator", "tippers", "landedTipLamports", "landedCu",
 * "blockIndex", "timestamp", "txSignatures"}`; `txSignatures` is in execution order. One wrong entry
 * makes the whole answer wrong: whoever errs there may err elsewhere.
 */
export function readExplorerAnswer(json: unknown, slot: Slot): readonly ExactBundle[] | string {
  if (!Array.isArray(json)) return 'something that is not a list of bundles';
  if (json.length > BUNDLES_MAX) return `more than ${BUNDLES_MAX} bundles`;
  const bundles: ExactBundle[] = [];
  for (const entry of json as readonly unknown[]) {
    const signatures = signaturesOf(entry, slot);
    if (typeof signatures === 'string') return signatures;
    if (signatures.length > 1) bundles.push({ signatures });
  }
  return bundles;
}

function signaturesOf(entry: unknown, slot: Slot): readonly Signature[] | string {
  if (typeof entry !== 'object' || entry === null) return 'a bundle that is no record';
  const { slot: slotOfEntry, txSignatures } = entry as Readonly<Record<string, unknown>>;
  if (slotOfEntry !== slot) return 'a bundle of another slot';
  if (!Array.isArray(txSignatures) || txSignatures.length > SIGNATURES_MAX) {
    return 'a bundle without a list of its transactions';
  }
  return txSignatures.every(isSignatureText) ? txSignatures : 'a transaction that is no signature';
}

function isSignatureText(value: unknown): value is Signature {
  return typeof value === 'string' && isSignature(value);
}
