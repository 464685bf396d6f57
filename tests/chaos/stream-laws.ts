import type { ChainPoint } from '../../src/chain/block-link.ts';
import type { HeadStep } from '../../src/cluster/step-head.ts';
import type { LoggedHead } from './cluster-processes.ts';

/** What the messages of a stream did wrong, in words; empty when correct. By the heads alone. */
export function streamOffences(heads: readonly LoggedHead[]): string[] {
  const reader = new HeadReader();
  return heads.flatMap((head) => reader.read(head).map((words) => `${head.seq}: ${words}`));
}

class HeadReader {
  private readonly blocks: ChainPoint[] = [];
  private finalSlot = -1;
  private seq: number | null = null;
  private isAfterGap = false;

  read({ seq, step }: LoggedHead): string[] {
    const isNext = this.seq === null || seq === this.seq + 1;
    this.seq = seq;
    return [...(isNext ? [] : ['messages before it are not there']), ...this.readStep(step)];
  }

  private readStep(step: HeadStep): string[] {
    if (step.kind === 'facts') return this.readBlock(step);
    if (step.kind === 'undo') return this.readUndo(step);
    // What no node has is reported in place of a block.
    if (step.kind === 'missing') this.isAfterGap = true;
    if (step.kind !== 'final') return [];
    const isRising = step.slot > this.finalSlot;
    this.finalSlot = step.slot;
    return isRising ? [] : [`slot ${step.slot} is final again`];
  }

  private readBlock(step: HeadStep & { readonly kind: 'facts' }): string[] {
    if (step.slot <= this.finalSlot) return [];
    const last = this.blocks.at(-1);
    this.blocks.push({ slot: step.slot, blockhash: step.blockhash });
    const isAfterGap = this.isAfterGap;
    this.isAfterGap = false;
    if (last === undefined || isAfterGap || last.blockhash === step.previousBlockhash) return [];
    return [`block ${step.slot} does not follow block ${last.slot}`];
  }

  private readUndo(step: HeadStep & { readonly kind: 'undo' }): string[] {
    while ((this.blocks.at(-1)?.slot ?? -1) > step.toSlot) this.blocks.pop();
    return step.toSlot < this.finalSlot ? ['blocks are reverted that were final'] : [];
  }
}
