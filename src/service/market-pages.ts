import { PAGE_BYTES } from '../lib/pages/page-layout.ts';
import { PagePool } from '../lib/pages/page-pool.ts';
import { PageFile } from '../store/page-file.ts';

/** Memory of the figures of lists, in addition to `--state-memory`: a share of it. */
export const MARKET_MEMORY_SHARE = 1 / 8;

/** Pages of the figures of lists. */
export interface MarketPages {
  readonly pool: PagePool;
  /** Whether they were closed, by their user or with the service. */
  readonly isClosed: boolean;
  /** Nothing of them is used afterwards. */
  close(): void;
}

/** Pages that are all in memory. */
export function pagesInMemory(): MarketPages {
  return marketPagesOf(new PagePool({ hasSums: false }), () => undefined);
}

/** Pages of which those used longest ago are in a file; only one set of pages is in use at a time. */
export class MarketPageFiles {
  private readonly path: string;
  private readonly pagesMax: number;
  private current: MarketPages | null = null;

  constructor(path: string, stateMemoryBytes: number) {
    this.path = path;
    this.pagesMax = Math.floor((stateMemoryBytes * MARKET_MEMORY_SHARE) / PAGE_BYTES);
  }

  /** Empty pages. Those that were opened before are closed. */
  open(): MarketPages {
    this.close();
    const store = new PageFile(this.path);
    const pool = new PagePool({ pagesMax: this.pagesMax, store, hasSums: false });
    this.current = marketPagesOf(pool, () => store.close());
    return this.current;
  }

  close(): void {
    this.current?.close();
    this.current = null;
  }
}

/** Pages of a pool; `close` releases what it stores them in. */
export function marketPagesOf(pool: PagePool, close: () => void): MarketPages {
  const state = { isClosed: false };
  return {
    pool,
    get isClosed() {
      return state.isClosed;
    },
    close: () => {
      state.isClosed = true;
      close();
    },
  };
}
