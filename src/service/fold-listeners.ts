import type { FoldListener } from '../ingestion/fold-listener.ts';

/**
 * Combines several listeners: each event is passed to all of them, in order. Reads are answered by
 * the first that answers some.
 */
export function listeners(all: readonly Partial<FoldListener>[]): FoldListener {
  const duringSlots = all.find((listener) => listener.duringSlots !== undefined)?.duringSlots;
  return {
    ...(duringSlots === undefined ? {} : { duringSlots }),
    onApplied: (changes) => {
      for (const listener of all) listener.onApplied?.(changes);
    },
    onReverted: (changes) => {
      for (const listener of all) listener.onReverted?.(changes);
    },
    onReplaced: () => {
      for (const listener of all) listener.onReplaced?.();
    },
    onFinalised: (facts, timeMs) => {
      for (const listener of all) listener.onFinalised?.(facts, timeMs);
    },
    onBeforeWrite: () => {
      for (const listener of all) listener.onBeforeWrite?.();
    },
    onStored: (slot) => {
      for (const listener of all) listener.onStored?.(slot);
    },
    settle: () => {
      for (const listener of all) listener.settle?.();
    },
    onStep: () => {
      for (const listener of all) listener.onStep?.();
    },
  };
}
