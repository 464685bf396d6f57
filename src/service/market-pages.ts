import { PAGE_BYTES } from '../lib/pages/page-layout.ts';
import { PagePool } from '../lib/pages/page-pool.ts';
import { PageFile } from '../store/page-file.ts';

/** Memory of the figures of lists, in addition to `--state-memory`: a share of it. */
export const MARKET_MEMORY_SHARE = 1 / 8;

/** Pages of the figures of lists. */
export interface MarketPages {
  readonly pool: PagePool;
  /** Nothing of them is used afterwards. */
  close(): void;
}

/** Pages that are all in memory. */
export function pagesInMemory(): MarketPages {
  return { pool: new PagePool({ hasSums: false }), close: () => undefined };
}

/** Pages of which those used longest ago are in a file; only one set of pages is in use at a time. */
export class MarketPageFiles {
  private readonly path: string;
  private readonly pagesMax: number;
  private current: PageFile | null = null;

  constructor(path: string, stateMemoryBytes: number) {
    this.path = path;
    this.pagesMax = Math.floor((stateMemoryBytes * MARKET_MEMORY_SHARE) / PAGE_BYTES);
  }

  /** Empty pages. Those that were opened before are closed. */
  open(): MarketPages {
    this.close();
    const store = new PageFile(this.path);
    this.current = store;
    const pool = new PagePool({ pagesMax: this.pagesMax, store, hasSums: false });
    return { pool, close: () => store.close() };
  }

  close(): void {
    this.current?.close();
    this.current = null;
  }
}
