import { setImmediate as nextTurn } from 'node:timers/promises';
import { asSlot, type Slot } from '../../model/units.ts';
import { encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import type { SlotLog } from '../../store/reads/slot-log.ts';
import type { FoldStates } from '../fold-states.ts';
import { isNearStart, type PastSource } from '../past-source.ts';
import type { DamagedCheckpoints } from './damaged-checkpoints.ts';
import type { KeptState, KeptStates, OpenState } from './kept-states.ts';
import type { StatePoint } from './past-messages.ts';
import type { PastThread } from './past-thread.ts';

/** Slots that are sent to the thread before it has applied them. */
const SENT_AHEAD = 8;

/** Dependencies of computing a state. */
export interface ComputeParts {
  readonly source: () => PastSource;
  readonly states: Pick<FoldStates, 'linkPast' | 'createPast'>;
  readonly log: Pick<SlotLog, 'readEncoded' | 'find'>;
  readonly thread: Pick<PastThread, 'call'>;
  readonly kept: KeptStates;
  readonly damaged: DamagedCheckpoints;
  /** Called for each slot that was applied. */
  readonly onApplied: () => void;
}

interface Begun extends OpenState {
  /** The last slot that it has applied; -1 before the first. */
  readonly slot: number;
}

/**
 * Computes the state as of a slot: from the newest stored or kept state before it, the log, and the
 * slots that are not stored yet. Null if there is nothing to begin with. The caller discards the
 * result if the branch has changed meanwhile. Rejects with PastError and StoreError.
 */
export async function computeState(slot: Slot, parts: ComputeParts): Promise<KeptState | null> {
  for (;;) {
    const begun = await begin(slot, parts);
    if (begun === null) return null;
    try {
      const last = await applySlots(begun, slot, parts);
      return { id: begun.id, linked: begun.linked, slot: asSlot(last), through: slot };
    } catch (error) {
      await parts.kept.drop(begun);
      if (!parts.damaged.note(begun, error)) throw error;
    }
  }
}

/** The state to begin with. */
async function begin(slot: Slot, parts: ComputeParts): Promise<Begun | null> {
  const { source, states, kept, damaged } = parts;
  const { checkpoints, fold, firstApplied } = source();
  const stored = checkpoints.find((each) => each <= slot && !damaged.has(each)) ?? null;
  const known = kept.takeBetween(stored ?? 0, slot);
  if (known !== null) return known;
  const linked = stored === null ? null : await states.linkPast(stored, fold);
  if (linked !== null) {
    try {
      return { ...(await kept.openLinked(linked)), slot: linked.checkpoint?.slot ?? -1 };
    } catch (error) {
      if (!damaged.note({ linked }, error)) throw error;
      return await begin(slot, parts);
    }
  }
  const isWhole = isNearStart(slot, firstApplied) && (await hasFirst(firstApplied, parts));
  const empty = isWhole ? states.createPast() : null;
  return empty === null ? null : { ...(await kept.openLinked(empty)), slot: -1 };
}

/** Whether the first slot is still in the log, or is not stored yet. */
async function hasFirst(firstApplied: Slot | null, { source, log }: ComputeParts) {
  if (firstApplied === null) return false;
  if (source().unwritten[0]?.facts.slot === firstApplied) return true;
  return (await log.find(firstApplied)) !== null;
}

/** Applies the slots after a state up to `slot`. Returns the last one. */
async function applySlots(begun: Begun, slot: Slot, parts: ComputeParts): Promise<number> {
  const { thread, onApplied } = parts;
  const open: Promise<unknown>[] = [];
  let last = begun.slot;
  const settleOldest = async () => {
    last = ((await open.shift()) as StatePoint).slot ?? last;
    onApplied();
  };
  for await (const facts of slotsAfter(begun.slot, slot, parts)) {
    const applied = thread.call({ kind: 'apply', state: begun.id, facts });
    // Awaited below, unless one before it fails.
    applied.catch(() => undefined);
    open.push(applied);
    if (open.length >= SENT_AHEAD) await settleOldest();
  }
  while (open.length > 0) await settleOldest();
  return last;
}

/** The encoded slots after one up to another, ascending. */
async function* slotsAfter(
  after: number,
  slot: Slot,
  { source, log }: ComputeParts,
): AsyncGenerator<string> {
  // What is written while the log is read is in this list, too.
  const { unwritten } = source();
  const firstUnwritten = unwritten[0]?.facts.slot ?? Number.POSITIVE_INFINITY;
  const to = Math.min(slot, firstUnwritten - 1);
  if (to > after) yield* log.readEncoded({ from: after + 1, to });
  for (const { facts } of unwritten) {
    if (facts.slot <= after || facts.slot > slot) continue;
    yield encodeSlotFacts(facts);
    await nextTurn();
  }
}
