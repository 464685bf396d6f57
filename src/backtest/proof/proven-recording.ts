import type { SlotFacts } from '../../model/slot-facts.ts';
import type { PriceE18, Slot } from '../../model/units.ts';
import type { SignalModel } from '../../signals/features/signal-model.ts';
import type { MinuteTape } from '../recording/minute-tape.ts';
import { type RecordedSlot, TapeRecorder } from '../recording/tape-recorder.ts';
import type { TestedFeature } from '../recording/tested-rule.ts';

/** The engine that a range is recorded in. */
export interface RecordedFold {
  readonly solUsd: PriceE18 | null;
  apply(facts: SlotFacts, finality: { readonly isFinal: boolean }): RecordedSlot;
  undo(): void;
  /** Makes a slot final. */
  forget(slot: Slot): void;
}

const NOT_FINAL = { isFinal: false };

/**
 * Records a range, and reads every minute of it twice: from the log, and from a log that is cut at
 * the minute's end. There the slot after the minute is replaced by an empty one, which ends the
 * minute and holds nothing; then it is undone. At that point the engine has applied exactly what a
 * log that ends there has. `model` is to be the engine's only model.
 */
export class ProvenRecording {
  readonly model: SignalModel;
  private readonly recorder: TapeRecorder;

  /** As TapeRecorder. */
  constructor(features: readonly TestedFeature[], fromMs: number) {
    this.recorder = new TapeRecorder(features, fromMs);
    this.model = this.recorder.model;
  }

  /** Applies a slot, and cuts the log before it if it ends minutes that are recorded. */
  apply(fold: RecordedFold, facts: SlotFacts): void {
    const { recorder } = this;
    const beforeUsd = fold.solUsd;
    let slot = fold.apply(facts, NOT_FINAL);
    if (recorder.hasRead) {
      recorder.takeRead();
      fold.undo();
      fold.apply(emptySlot(facts), NOT_FINAL);
      const cut = recorder.takeRead();
      fold.undo();
      slot = fold.apply(facts, NOT_FINAL);
      recorder.compareWith(cut);
    }
    fold.forget(facts.slot);
    recorder.endSlot(slot, beforeUsd, fold.solUsd);
  }

  finish(): MinuteTape {
    return this.recorder.finish();
  }
}

/** A slot of the same number and time in which nothing happened. */
function emptySlot({ slot, parentSlot, blockTimeMs, decoderVersion }: SlotFacts): SlotFacts {
  return {
    ...{ slot, parentSlot, blockTimeMs, decoderVersion, isWhole: false },
    ...{ blockhash: null, previousBlockhash: null, voteCount: 0, transactions: [] },
    ...{ outcomes: {}, poolMovingCount: 0, explainedCount: 0, problems: [] },
  };
}
