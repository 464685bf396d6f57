import type { UndoLog } from '../../lib/undo-log.ts';
import type { MetadataSet } from '../../model/chain-event.ts';
import type { MintExtensionKind } from '../../model/mint-extension.ts';
import type { RawAmount, Slot } from '../../model/units.ts';

/** What the chain may tell of a token and an account of it may show. */
export type TokenPart =
  | 'mintAuthority'
  | 'freezeAuthority'
  | MetadataSet['standard']
  | MintExtensionKind;

export interface SupplyChange {
  readonly slot: Slot;
  /** Signed. */
  readonly deltaRaw: bigint;
}

/**
 * What was told of a token whose beginning was not seen, with the slots: an account that was read at
 * a slot shows everything up to it and nothing after it, so both can be put together.
 */
export interface OlderToken {
  /** No change of the supply after this slot is missing below. */
  suppliesAfter: Slot;
  /** While the supply is unknown, oldest first. */
  readonly supplyChanges: SupplyChange[];
  /** One of each part at most, in order of first word. */
  readonly told: KnownPart[];
}

/** The newest slot of which a part is known. */
export interface KnownPart {
  readonly part: TokenPart;
  readonly slot: Slot;
}

/** Accounts are read within seconds; a token that is minted more often meanwhile is read again. */
const SUPPLY_CHANGES_MAX = 64;

/** A token met in `slot`: what is read at its end or later can be carried on. */
export function olderToken(slot: Slot): OlderToken {
  return { suppliesAfter: slot, supplyChanges: [], told: [] };
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

/** The supply now, of one that was read at the end of a slot; null when changes since are missing. */
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
  { told }: OlderToken,
  { part, slot }: KnownPart,
  undo: UndoLog,
): void {
  const index = told.findIndex((word) => word.part === part);
  undo.keep(told);
  if (index < 0) told.push({ part, slot });
  else told[index] = { part, slot };
}

/** Whether an account read at the slot shows the part as it is now, as far as was told. */
export function isUpToDate({ told }: OlderToken, part: TokenPart, contextSlot: Slot): boolean {
  const word = told.find((one) => one.part === part);
  return word === undefined || contextSlot >= word.slot;
}
