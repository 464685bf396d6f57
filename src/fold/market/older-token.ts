import type { Mutable } from '../../lib/mutable.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { MetadataSet } from '../../model/chain-event.ts';
import { type Described, integer, list, plain, record } from '../../model/codec.ts';
import type { MintExtensionKind } from '../../model/mint-extension.ts';
import type { RawAmount, Slot } from '../../model/units.ts';

/** A property of a token that both chain events and account reads can show. */
export type TokenPart =
  | 'mintAuthority'
  | 'freezeAuthority'
  | MetadataSet['standard']
  | MintExtensionKind;

const SUPPLY_CHANGE = record({
  slot: plain<Slot>(),
  /** Signed. */
  deltaRaw: integer<bigint>(),
});

export interface SupplyChange extends Described<typeof SUPPLY_CHANGE> {}

const KNOWN_PART = record({ part: plain<TokenPart>(), slot: plain<Slot>() });

/** A part and the newest slot for which its value is known. */
export interface KnownPart extends Described<typeof KNOWN_PART> {}

export const OLDER_TOKEN = record({
  /** `supplyChanges` is complete after this slot. */
  suppliesAfter: plain<Slot>(),
  /** Changes while the supply is unknown, oldest first. */
  supplyChanges: list(SUPPLY_CHANGE),
  /** At most one entry per part, in the order of first mention. */
  knownParts: list(KNOWN_PART),
});

/**
 * What chain events showed, by slot, of a token whose creation was not seen. An account read at a
 * slot reflects everything up to that slot and nothing after it, so both can be merged.
 */
export interface OlderToken extends Mutable<Described<typeof OLDER_TOKEN>> {
  readonly supplyChanges: SupplyChange[];
  readonly knownParts: KnownPart[];
}

/** Accounts are read within seconds. A token with more changes in that time is read again. */
const SUPPLY_CHANGES_MAX = 64;

/** A token first seen in `slot`. A supply read at the end of this slot or later can be carried. */
export function olderToken(slot: Slot): OlderToken {
  return { suppliesAfter: slot, supplyChanges: [], knownParts: [] };
}

export function noteSupplyChange(older: OlderToken, change: SupplyChange, undo: UndoLog): void {
  const { supplyChanges } = older;
  undo.keep(older);
  undo.keep(supplyChanges);
  supplyChanges.push(change);
  if (supplyChanges.length <= SUPPLY_CHANGES_MAX) return;
  const dropped = supplyChanges.shift();
  if (dropped !== undefined) older.suppliesAfter = dropped.slot;
}

/**
 * The current supply, from the supply read at the end of `contextSlot`; null if changes since then
 * are missing.
 */
export function carriedSupply(
  { suppliesAfter, supplyChanges }: OlderToken,
  supplyRaw: RawAmount,
  contextSlot: Slot,
): bigint | null {
  if (contextSlot < suppliesAfter) return null;
  return supplyChanges.reduce(
    (sum, { slot, deltaRaw }) => (slot > contextSlot ? sum + deltaRaw : sum),
    supplyRaw as bigint,
  );
}

export function noteKnownPart(
  { knownParts }: OlderToken,
  { part, slot }: KnownPart,
  undo: UndoLog,
): void {
  const index = knownParts.findIndex((known) => known.part === part);
  undo.keep(knownParts);
  if (index < 0) knownParts.push({ part, slot });
  else knownParts[index] = { part, slot };
}

/** Whether an account read at `contextSlot` shows the current value of the part. */
export function isUpToDate(
  { knownParts }: OlderToken,
  part: TokenPart,
  contextSlot: Slot,
): boolean {
  const known = knownParts.find((one) => one.part === part);
  return known === undefined || contextSlot >= known.slot;
}
