import { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { MemoryPageStore } from './memory-page-store.ts';

/** An engine that can be restored as of now. */
export interface StoredEngine {
  readonly engine: Engine;
  /** Another engine, with the state as it is now. */
  restored(): Engine;
  /** The same, while something else is done; `writeSome` writes a part of the state. */
  restoredWhile(work: (writeSome: (count: number) => void) => void): Engine;
}

/** Creates an engine whose state is stored in memory; all but `pagesMax` pages of it stay there. */
export function storedEngine(options: EngineOptions, pagesMax?: number): StoredEngine {
  const store = new MemoryPageStore();
  const limits = pagesMax === undefined ? {} : { pagesMax, objectBytesMax: pagesMax * 1_024 };
  const engine = new Engine({ ...options, pages: new PagePool({ ...limits, store }) });
  const restoredWhile: StoredEngine['restoredWhile'] = (work) => {
    store.beginCheckpoint();
    const sums = engine.beginCheckpoint();
    let isWritten = false;
    work((count) => {
      isWritten ||= engine.writeSome(count);
    });
    while (!isWritten) isWritten = engine.writeSome(1_000);
    const copy = new MemoryPageStore(new Map(store.atCheckpoint));
    const pages = new PagePool({ ...limits, store: copy });
    return new Engine({ ...options, pages, sums });
  };
  return { engine, restored: () => restoredWhile(() => undefined), restoredWhile };
}
