import type { EngineFactory, EngineSnapshots } from './engine-snapshots.ts';
import type { IngestionStore } from './ingestion-store.ts';

/** What ingestion works with. */
export interface IngestionParts {
  readonly store: IngestionStore;
  readonly createEngine: EngineFactory;
  /**
   * In words, what the engine's answers depend on beside the log: rows that were folded by other
   * rules are folded again.
   */
  readonly rules: string;
  /** Null: every opening folds the whole log. */
  readonly snapshots: EngineSnapshots | null;
  /** The wall clock, which dates gaps and nothing else. */
  readonly nowMs?: () => number;
}
