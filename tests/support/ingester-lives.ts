import { type BlockLink, type ChainPoint, keyOf } from '../../src/chain/block-link.ts';
import { Continuity } from '../../src/chain/continuity.ts';
import { confirmedPlus } from '../../src/chain/finality.ts';
import type { LogStep } from '../../src/chain/log-step.ts';
import { LogTail } from '../../src/cluster/log-tail.ts';
import type { ClusterStep, StepHead } from '../../src/cluster/step-head.ts';
import { headOf } from '../../src/cluster/step-message.ts';
import { TailJoin } from '../../src/cluster/tail-join.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { type BlockTree, LogReader } from './block-tree.ts';
import { slotFacts } from './build-facts.ts';

/** Facts of an empty block. */
export function linkFacts(link: BlockLink): SlotFacts {
  return { ...slotFacts(link.slot, null, []), ...link };
}

function stepOf(step: LogStep<BlockLink>): ClusterStep {
  return step.kind === 'block' ? { kind: 'facts', facts: linkFacts(step.block) } : step;
}

/** A log to which ingesters append, one after another. */
export class SharedLog {
  readonly heads: StepHead[] = [];
  readonly steps: ClusterStep[] = [];

  /** What a process knows that has read all heads. */
  tail(): LogTail {
    const tail = new LogTail();
    this.heads.forEach((head, index) => {
      tail.pass(index + 1, head);
    });
    return tail;
  }

  /** The blocks as a reader without a model of its own applies them. */
  read(anchor: ChainPoint): LogReader {
    const reader = new LogReader(anchor);
    for (const step of this.steps) {
      const isBlock = step.kind === 'facts';
      reader.read([isBlock ? { kind: 'block', block: step.facts as unknown as BlockLink } : step]);
    }
    return reader;
  }
}

/** What an ingester adds to a block that follows all others. */
export type AttachInputs = (
  facts: SlotFacts,
  tail: LogTail,
) => { readonly facts: SlotFacts; readonly controlSeq: number };

/** An ingester of a tree of blocks that ends in the middle, after this many appended steps. */
export class IngesterLife {
  private readonly join: TailJoin;
  private readonly tail: LogTail;
  private readonly machine: Continuity<BlockLink>;
  private readonly log: SharedLog;
  private readonly tree: BlockTree;
  private left: number;
  private readonly attach: AttachInputs | null;

  constructor(
    log: SharedLog,
    tree: BlockTree,
    stepsMax: number,
    attach: AttachInputs | null = null,
  ) {
    this.attach = attach;
    this.log = log;
    this.tree = tree;
    this.left = stepsMax;
    this.tail = log.tail();
    this.join = new TailJoin(this.tail);
    const anchor = this.tail.final ?? tree.anchor;
    const finality = confirmedPlus(8);
    this.machine = new Continuity<BlockLink>({ anchor, finality, pendingBlocksMax: 1_000 });
  }

  live(order: readonly BlockLink[]): void {
    for (const block of order) this.append(this.machine.accept(block).steps);
    const blocks = new Map(this.tree.blocks.map((block) => [keyOf(block), block]));
    for (
      let [point] = this.machine.wanted();
      point !== undefined;
      [point] = this.machine.wanted()
    ) {
      const block = blocks.get(keyOf(point));
      this.append(
        block === undefined
          ? this.machine.abandon(point, 'nobody has it')
          : this.machine.accept(block).steps,
      );
    }
  }

  private append(steps: readonly LogStep<BlockLink>[]): void {
    for (const one of steps) {
      if (this.left <= 0) return;
      for (const given of this.join.take(stepOf(one))) {
        if (this.left-- <= 0) return;
        const { step, controlSeq } = this.withInputs(given);
        const head = this.tail.headOf(headOf(step), 'test', controlSeq);
        this.log.heads.push(head);
        this.log.steps.push(step);
        this.tail.pass(this.log.heads.length, head);
      }
    }
  }

  private withInputs(step: ClusterStep): { step: ClusterStep; controlSeq?: number } {
    if (this.attach === null || step.kind !== 'facts') return { step };
    if (!this.tail.isNewest(step.facts)) return { step };
    const { facts, controlSeq } = this.attach(step.facts, this.tail);
    return { step: { kind: 'facts', facts }, controlSeq };
  }
}
