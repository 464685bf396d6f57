import { type ChainPoint, isSamePoint } from '../chain/block-link.ts';
import type { SlotFacts } from '../model/slot-facts.ts';
import type { LogTail, TailEntry } from './log-tail.ts';
import type { ClusterStep } from './step-head.ts';

/**
 * Joins a source that starts at the last final block of a log to the tail that is there: what the
 * source repeats is passed over, and where it differs the tail is reverted to the last common block.
 * The steps it returns must be appended, and passed by the tail, before the next call.
 */
export class TailJoin {
  private readonly tail: LogTail;
  /** Entries of the tail that the source has delivered. */
  private joined = 0;

  constructor(tail: LogTail) {
    this.tail = tail;
  }

  /**
   * Passes over a block that the tail has next: true if it did. Then its facts need not be known.
   * Otherwise the block must be taken.
   */
  passOver({ slot, blockhash }: Pick<SlotFacts, 'slot' | 'blockhash'>): boolean {
    if (slot <= (this.tail.final?.slot ?? -1)) return false;
    const next = this.tail.entries[this.joined];
    if (next?.kind !== 'block' || !isPointOf(next.point, { slot, blockhash })) return false;
    this.joined++;
    return true;
  }

  /** The steps to append for a step of the source. */
  take(step: ClusterStep): readonly ClusterStep[] {
    if (step.kind === 'facts') return this.takeBlock(step);
    if (step.kind === 'missing') return this.takeMissing(step);
    if (step.kind === 'undo') return this.takeUndo(step);
    if (step.kind === 'final') return this.takeFinal(step);
    if (step.kind === 'skipped') return this.takeSkipped(step);
    return [step];
  }

  private takeBlock(step: ClusterStep & { readonly kind: 'facts' }): readonly ClusterStep[] {
    const { facts } = step;
    if (this.passOver(facts)) return [];
    return facts.slot <= (this.tail.final?.slot ?? -1) ? [step] : this.diverge(step);
  }

  private takeMissing(step: ClusterStep & { readonly kind: 'missing' }): readonly ClusterStep[] {
    if (step.from <= (this.tail.final?.slot ?? -1)) return [step];
    const next = this.tail.entries[this.joined];
    if (next?.kind === 'missing' && next.from === step.from && next.to === step.to) {
      this.joined++;
      return [];
    }
    return this.diverge(step);
  }

  /** At once, because a block that the source emits again may have been corrected. */
  private takeUndo(step: ClusterStep & { readonly kind: 'undo' }): readonly ClusterStep[] {
    const { toSlot: slot, toBlockhash: blockhash } = step;
    this.joined = this.tail.indexOf({ slot, blockhash }) + 1;
    return this.tail.entries.length > this.joined ? [step] : [];
  }

  private takeFinal(step: ClusterStep & { readonly kind: 'final' }): readonly ClusterStep[] {
    if (step.slot <= (this.tail.final?.slot ?? -1)) return [];
    const left = this.tail.entries
      .slice(0, this.joined)
      .filter((entry) => (entry.kind === 'block' ? entry.point.slot : entry.to) > step.slot);
    this.joined = left.length;
    return [step];
  }

  /** The writer before may have ended between this and the final step that follows it. */
  private takeSkipped(step: ClusterStep & { readonly kind: 'skipped' }): readonly ClusterStep[] {
    const known = this.tail.lastSkipped;
    return known?.from === step.from && known.to === step.to ? [] : [step];
  }

  /** The step follows the joined entries, in place of those after them. */
  private diverge(step: ClusterStep): readonly ClusterStep[] {
    const { entries } = this.tail;
    const before = entries.slice(0, this.joined);
    this.joined++;
    if (entries.length === before.length) return [step];
    const target = before.findLastIndex(({ kind }) => kind === 'block');
    const { slot: toSlot, blockhash: toBlockhash } = this.pointAt(target, entries);
    // An undo also reverts what was reported missing after its block.
    const again = before.slice(target + 1).filter((entry) => entry.kind === 'missing');
    return [{ kind: 'undo', toSlot, toBlockhash }, ...again, step];
  }

  /** The block of an entry; of none, what the tail builds on. */
  private pointAt(index: number, entries: readonly TailEntry[]): ChainPoint {
    const entry = entries[index];
    if (entry?.kind === 'block') return entry.point;
    if (this.tail.final !== null) return this.tail.final;
    const first = entries.find(({ kind }) => kind === 'block');
    if (first?.kind === 'block') return first.parent;
    throw new RangeError('a tail without a block cannot be reverted');
  }
}

function isPointOf(
  point: ChainPoint,
  { slot, blockhash }: Pick<SlotFacts, 'slot' | 'blockhash'>,
): boolean {
  return blockhash !== null && isSamePoint(point, { slot, blockhash });
}
