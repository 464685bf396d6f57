import type { Slot } from '../../model/units.ts';
import type { LogStep } from '../log-step.ts';

/** A step of final slots, which is never reverted. */
export type FinalStep<Block> = Exclude<LogStep<Block>, { readonly kind: 'undo' | 'final' }>;

/** Delays steps of a log until their slots are final. */
export class FinalSteps<Block extends { readonly slot: Slot }> {
  private waiting: FinalStep<Block>[] = [];

  /** Returns the steps that became final, in order. */
  take(steps: readonly LogStep<Block>[]): FinalStep<Block>[] {
    const final: FinalStep<Block>[] = [];
    for (const step of steps) {
      if (step.kind === 'undo') this.keep((end) => end <= step.toSlot);
      else if (step.kind === 'final') final.push(...this.keep((end) => end > step.slot));
      else if (step.kind === 'skipped' || step.kind === 'dropped') final.push(step);
      else this.waiting.push(step);
    }
    return final;
  }

  /** Keeps the matching steps and returns the others. */
  private keep(isKept: (lastSlot: number) => boolean): FinalStep<Block>[] {
    const { waiting } = this;
    this.waiting = waiting.filter((step) => isKept(lastSlotOf(step)));
    return waiting.filter((step) => !isKept(lastSlotOf(step)));
  }
}

function lastSlotOf(step: FinalStep<{ readonly slot: Slot }>): number {
  return step.kind === 'block' ? step.block.slot : step.to;
}
