/** Bits of a version that number the slot. */
const SLOT_BITS = 40n;

/**
 * The version of a derived row: rows of later folds replace those of earlier ones; within a fold,
 * rows of later slots replace those of earlier ones.
 */
export function rowVersion(epoch: number, slot: number): string {
  return ((BigInt(epoch) << SLOT_BITS) + BigInt(slot)).toString();
}

/** The number of the fold that wrote a row of this version. */
export function epochOfVersion(version: string): number {
  return Number(BigInt(version) >> SLOT_BITS);
}
