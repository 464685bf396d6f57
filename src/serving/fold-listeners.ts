import type { FoldListener } from '../ingestion/fold-listener.ts';

/** Tells several listeners in turn, each of what it listens to. */
export function listeners(all: readonly Partial<FoldListener>[]): FoldListener {
  return {
    changed: (slot) => {
      for (const listener of all) listener.changed?.(slot);
    },
    replaced: () => {
      for (const listener of all) listener.replaced?.();
    },
    finalised: (facts, timeMs) => {
      for (const listener of all) listener.finalised?.(facts, timeMs);
    },
    storing: () => {
      for (const listener of all) listener.storing?.();
    },
    settle: () => {
      for (const listener of all) listener.settle?.();
    },
    stepped: () => {
      for (const listener of all) listener.stepped?.();
    },
  };
}
