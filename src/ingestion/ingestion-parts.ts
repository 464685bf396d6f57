import type { EngineFactory } from './engine-factory.ts';
import type { FoldStates } from './fold-states.ts';
import type { IngestionStore } from './ingestion-store.ts';
import type { RestoreAt } from './partial-refold.ts';

/** Dependencies of ingestion. */
export interface IngestionParts {
  readonly store: IngestionStore;
  /** Creates engines where there are no `states`. */
  readonly createEngine: EngineFactory;
  /**
   * Inputs of the engine's results other than the log, as text. Rows folded with other rules are
   * refolded.
   */
  readonly rules: string;
  /** Stored states, which make it unnecessary to fold the whole log; absent to store none. */
  readonly states?: FoldStates;
  /** Restores earlier states where there are no `states`. */
  readonly restoreAt?: RestoreAt;
  /**
   * While a chain is followed, slots of the log are dropped once they are older by this much chain
   * time; null or omitted: none is.
   */
  readonly logRetentionMs?: number | null;
  /** The wall clock, used only to date gaps. */
  readonly nowMs?: () => number;
}
