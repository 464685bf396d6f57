import { Engine } from '../../src/engine/engine.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { asPriceE18 } from '../../src/model/units.ts';

/** What a run measures: a state that slots are applied to, stored in a folder or not. */
export interface StateSubject {
  readonly engine: Engine;
  /** Applies a slot as final, with whatever stores the state in its folder. */
  apply(facts: SlotFacts): void;
  /**
   * Ends as if killed, starts again from the folder, and returns the milliseconds until the first
   * answer. Null: not measured, because the state is in no folder.
   */
  restart(): Promise<number | null>;
  /**
   * Whether the digest is that of an engine that applied the same slots without a bound of memory
   * and without restarts. Null: not measured.
   */
  isDigestEqual(): Promise<boolean | null>;
  close(): void;
}

export interface SubjectOptions {
  /** Bound of the state in memory, in bytes; null for none. */
  readonly stateMemoryBytes: number | null;
  /** Null: the state is in memory alone. */
  readonly folder: string | null;
}

/** SOL/USD before the market has traded it. */
const FALLBACK_SOL_USD = asPriceE18(150n * 10n ** 18n);

/** The engine with all of its state in memory. It knows no bound and starts from nothing. */
export function createSubject(_options: SubjectOptions): StateSubject {
  const engine = new Engine({ fallbackSolUsd: FALLBACK_SOL_USD });
  return {
    engine,
    apply: (facts) => {
      engine.apply(facts);
    },
    restart: async () => null,
    isDigestEqual: async () => null,
    close: () => undefined,
  };
}
