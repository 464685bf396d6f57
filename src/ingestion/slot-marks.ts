import type { SourceItem } from '../chain/source.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { MissingMark, SlotMark, SlotRun } from '../model/slot-range.ts';
import { asSlot, type Slot } from '../model/units.ts';

/** The end of the history to which a slot is appended. */
export interface ChainEnd {
  readonly slot: Slot;
  readonly blockhash: string | null;
  /** Logical time of that slot; 0 before the first block time. */
  readonly timeMs: number;
}

/** Position and times of a slot appended to the history. */
export interface SlotAttachment {
  /** Null for the first slot. */
  readonly previous: ChainEnd | null;
  /** Logical time of the slot. */
  readonly timeMs: number;
  /** Wall clock, to date new gaps. */
  readonly nowMs: number;
}

/**
 * Marks that follow from a slot after `previous`: the slot is held, slots between it and its parent
 * are skipped, slots between the history and its parent are missing, and held slots on another
 * branch are suspected.
 */
export function marksOfNewest(facts: SlotFacts, attachment: SlotAttachment): SlotMark[] {
  const marks = [...marksBefore(facts, attachment)];
  if (facts.isWhole) marks.push({ state: 'held', from: facts.slot, to: facts.slot });
  else marks.push(missing(facts.slot, facts.slot, PARTIAL, attachment));
  return marks;
}

/** Marks that follow from a late slot alone; the slots around it are known already. */
export function marksOfLate({ slot, parentSlot, isWhole }: SlotFacts, nowMs: number): SlotMark[] {
  if (!isWhole) {
    return [missing(slot, slot, PARTIAL, { previous: null, timeMs: 0, nowMs })];
  }
  const held = { state: 'held', from: slot, to: slot } as const;
  return parentSlot === null ? [held] : [...skipped(parentSlot + 1, slot - 1), held];
}

/** A source's information about slots without a block. */
export type BlocklessItem = Extract<SourceItem, { readonly kind: 'missing' | 'skipped' }>;

/** Converts it to a mark. The chain times around missing slots are unknown. */
export function markOfBlockless(item: BlocklessItem, nowMs: number): SlotMark {
  const { kind, from, to } = item;
  if (kind === 'skipped') return { state: 'skipped', from, to };
  const gap = { from, to, reason: item.reason, sinceMs: nowMs, tries: 1 };
  return { ...gap, state: 'missing', afterMs: null, beforeMs: null, isSuspected: false };
}

/** Mark of slots whose stored blocks are all on a lost branch: nothing is known of them. */
export function markOfDropped({ from, to }: SlotRun, nowMs: number): MissingMark {
  const reason = 'what was held there is of a branch that lost';
  const gap = { from, to, reason, sinceMs: nowMs, tries: 0, afterMs: null, beforeMs: null };
  return { ...gap, state: 'missing', isSuspected: true };
}

const PARTIAL = 'only single transactions of it are held';

function* marksBefore(facts: SlotFacts, attachment: SlotAttachment): Iterable<SlotMark> {
  const { slot, parentSlot } = facts;
  const { previous } = attachment;
  if (previous === null) return;
  const next = previous.slot + 1;
  if (parentSlot === null) {
    if (next < slot) yield missing(next, slot - 1, `slot ${slot} names no parent`, attachment);
    return;
  }
  yield* skipped(Math.max(parentSlot + 1, next), slot - 1);
  if (parentSlot >= next) {
    yield missing(
      next,
      parentSlot,
      `slot ${slot} follows them and no source provided them`,
      attachment,
    );
  }
  if (parentSlot < previous.slot || isOtherHash(facts, previous)) {
    const from = Math.min(parentSlot + 1, previous.slot);
    const reason = `slot ${slot} does not build on what is held there`;
    yield { ...missing(from, previous.slot, reason, attachment), afterMs: null, isSuspected: true };
  }
}

function isOtherHash({ parentSlot, previousBlockhash }: SlotFacts, previous: ChainEnd): boolean {
  if (parentSlot !== previous.slot || previousBlockhash === null) return false;
  return previous.blockhash !== null && previous.blockhash !== previousBlockhash;
}

function skipped(from: number, to: number): SlotMark[] {
  return from > to ? [] : [{ state: 'skipped', from: asSlot(from), to: asSlot(to) }];
}

/** A gap not reported by a source; its times are those of the adjacent slots. */
function missing(
  from: number,
  to: number,
  reason: string,
  { previous, timeMs, nowMs }: SlotAttachment,
): MissingMark {
  return {
    state: 'missing',
    from: asSlot(from),
    to: asSlot(to),
    reason,
    sinceMs: nowMs,
    tries: 0,
    afterMs: knownMs(previous?.timeMs),
    beforeMs: knownMs(timeMs),
    isSuspected: false,
  };
}

function knownMs(timeMs: number | undefined): number | null {
  return timeMs === undefined || timeMs === 0 ? null : timeMs;
}
