import type { LookAheadFault, LookAheadReport } from '../../model/backtest.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { Address, Slot } from '../../model/units.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import type { RecordedHit } from '../recording/judge-tape.ts';
import { recordingModel } from '../recording/tape-recorder.ts';
import { type TestedFeature, type TestedValues, valuesOf } from '../recording/tested-rule.ts';
import { lookAheadFaults, spread } from './look-ahead.ts';

/** The engine that reads the cut log. */
export interface CutFold {
  apply(facts: SlotFacts, finality: { readonly isFinal: boolean }): unknown;
  undo(): void;
}

/**
 * Reads features where the log is cut at the end of a hit's minute. The slot after the minute is
 * replaced by an empty one, which ends the minute and holds nothing; then it is undone. At that
 * point the engine has applied exactly what a log that ends there has. `model` is to be the engine's
 * only model.
 */
export class CutLog {
  readonly model: SignalModel;
  private readonly features: readonly TestedFeature[];
  private readonly bySlot = new Map<Slot, RecordedHit[]>();
  private readonly read = new Map<Address, TestedValues>();
  private readonly faults: LookAheadFault[] = [];
  private checked = 0;
  private wanted: ReadonlySet<Address> | null = null;

  /** `features` are those of which the hits have values. */
  constructor(features: readonly TestedFeature[], hits: readonly RecordedHit[]) {
    const [first] = hits;
    const read = first === undefined ? [] : Object.keys(first.values);
    this.features = features.filter(({ name }) => read.includes(name));
    for (const recorded of spread(hits)) {
      const { slot } = recorded.hit;
      this.bySlot.set(slot, [...(this.bySlot.get(slot) ?? []), recorded]);
    }
    this.model = recordingModel((reading) => {
      const { pool } = reading.facts.pool;
      if (this.wanted?.has(pool)) this.read.set(pool, valuesOf(this.features, reading));
    });
  }

  /** The last slot at which the log is cut; null without hits. */
  get lastSlot(): Slot | null {
    return [...this.bySlot.keys()].reduce<Slot | null>(
      (last, slot) => (last === null || slot > last ? slot : last),
      null,
    );
  }

  /** Applies a slot, after reading what ends before it. */
  apply(fold: CutFold, facts: SlotFacts): void {
    const hits = this.bySlot.get(facts.slot);
    if (hits !== undefined) this.check(fold, facts, hits);
    fold.apply(facts, { isFinal: true });
  }

  get report(): LookAheadReport {
    return { checked: this.checked, faults: this.faults };
  }

  private check(fold: CutFold, facts: SlotFacts, hits: readonly RecordedHit[]): void {
    this.read.clear();
    this.wanted = new Set(hits.map(({ hit }) => hit.pool));
    fold.apply(emptySlot(facts), { isFinal: false });
    fold.undo();
    this.wanted = null;
    for (const { hit, values } of hits) {
      this.checked++;
      this.faults.push(...lookAheadFaults(hit, values, this.read.get(hit.pool) ?? null));
    }
  }
}

/** A slot of the same number and time in which nothing happened. */
export function emptySlot({ slot, parentSlot, blockTimeMs, decoderVersion }: SlotFacts): SlotFacts {
  return {
    ...{ slot, parentSlot, blockTimeMs, decoderVersion, isWhole: false },
    ...{ blockhash: null, previousBlockhash: null, voteCount: 0, transactions: [] },
    ...{ outcomes: {}, poolMovingCount: 0, explainedCount: 0, problems: [] },
  };
}
