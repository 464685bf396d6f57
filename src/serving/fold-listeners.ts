import type { FoldListener } from '../ingestion/fold-listener.ts';

/** Tells several listeners in turn. */
export function listeners(all: readonly FoldListener[]): FoldListener {
  return {
    changed: (slot) => {
      for (const listener of all) listener.changed(slot);
    },
    replaced: () => {
      for (const listener of all) listener.replaced();
    },
    storing: () => {
      for (const listener of all) listener.storing?.();
    },
    stepped: () => {
      for (const listener of all) listener.stepped();
    },
  };
}
