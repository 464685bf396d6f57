import type { EngineFactory } from './engine-factory.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { RestoreAt } from './partial-refold.ts';

/** Dependencies of ingestion. */
export interface IngestionParts {
  readonly store: IngestionStore;
  readonly createEngine: EngineFactory;
  /**
   * Inputs of the engine's results other than the log, as text. Rows folded with other rules are
   * refolded.
   */
  readonly rules: string;
  /** Restores earlier states; without it, a changed log is folded from its start. */
  readonly restoreAt?: RestoreAt;
  /** The wall clock, used only to date gaps. */
  readonly nowMs?: () => number;
}
