import { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import { PagePool } from '../../src/lib/pages/page-pool.ts';
import { MemoryPageStore } from './memory-page-store.ts';

/** An engine that can be restored as of now. */
export interface StoredEngine {
  readonly engine: Engine;
  /** Another engine, with the state as it is now. */
  restored(): Engine;
}

/** Creates an engine whose state is stored in memory; `pagesMax` pages of it stay outside. */
export function storedEngine(options: EngineOptions, pagesMax?: number): StoredEngine {
  const store = new MemoryPageStore();
  const limits = pagesMax === undefined ? {} : { pagesMax, objectBytesMax: pagesMax * 1_024 };
  const engine = new Engine({ ...options, pages: new PagePool({ ...limits, store }) });
  return {
    engine,
    restored() {
      store.beginCheckpoint();
      const sums = engine.beginCheckpoint();
      while (!engine.writeSome(1_000));
      const copy = new MemoryPageStore(new Map(store.atCheckpoint));
      const pages = new PagePool({ ...limits, store: copy });
      return new Engine({ ...options, pages, sums });
    },
  };
}
