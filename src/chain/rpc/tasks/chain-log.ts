import type { SourceProblem, SourceProblemCode } from '../../../model/errors.ts';
import type { Slot } from '../../../model/units.ts';
import type { ChainPoint } from '../../block-link.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import { Continuity } from '../../continuity.ts';
import type { FinalityStrategy } from '../../finality.ts';
import type { LogStep } from '../../log-step.ts';
import type { OpenGap } from '../../open-gaps.ts';
import type { SourceItem } from '../../source.ts';
import { type RpcFailure, unfitBlock } from '../nodes/rpc-failure.ts';
import type { PostEmitter } from '../nodes/testimony.ts';
import type { GivenUp } from './slot-tasks.ts';

export interface ChainLogOptions {
  readonly anchor: ChainPoint | null;
  readonly gaps: readonly OpenGap[];
  /** Who is named when the log cannot go on. */
  readonly origin: () => string;
  /** Has blocks compared before they are final; null where they are believed as they come. */
  readonly judge: () => BlockJudge | null;
}

/** Who looks whether a block is as it was told. */
export interface BlockJudge {
  /** False where nobody could ever tell a block a second time: none is replaced or disputed. */
  readonly canCompare: boolean;
  /** A block stands in the log or waits to. */
  note(block: LinkedBlock, teller: PostEmitter): void;
  /** It is not known yet whether the block is as it was told. */
  isOpen(point: ChainPoint): boolean;
  /** Nobody knows what the block is: it stays out. */
  isDisputed(point: ChainPoint): boolean;
}

/** The log that is made of what comes, and what is to be told of it next. */
export class ChainLog {
  /** Newest slot of which a block came: what lies after it is listed again. */
  frontier: Slot | null;
  private readonly options: ChainLogOptions;
  private readonly items: SourceItem[] = [];
  private chain: Continuity<LinkedBlock> | null = null;
  private duplicateCount = 0;

  constructor(options: ChainLogOptions) {
    this.options = options;
    this.frontier = options.anchor?.slot ?? null;
  }

  get isOpen(): boolean {
    return this.chain !== null;
  }

  get headSlot(): Slot | null {
    return this.chain?.head?.slot ?? null;
  }

  get finalSlot(): Slot | null {
    return this.chain?.finalSlot ?? null;
  }

  get pendingBlocks(): number {
    return this.chain?.pendingBlocks ?? 0;
  }

  /** Blocks of the log that are in memory whole, since they may be told again. */
  get keptBlocks(): number {
    return this.chain?.keptBlocks ?? 0;
  }

  /** Blocks that came again or too late to count. */
  get duplicates(): number {
    return this.duplicateCount;
  }

  get isStopped(): boolean {
    return this.chain !== null && this.chain.stopReason !== null;
  }

  /** Begins it; does nothing when it is open. */
  open(finality: FinalityStrategy): void {
    const { anchor, gaps, judge } = this.options;
    this.chain ??= new Continuity({
      ...{ anchor, gaps, finality },
      holdsBack: (point) => judge()?.isOpen(point) === true,
      keepsBlocks: judge()?.canCompare === true,
    });
  }

  /** What is to be told, once. */
  takeItems(): SourceItem[] {
    return this.items.splice(0);
  }

  /** Null, or why the block cannot be taken. */
  accept(block: LinkedBlock, teller: PostEmitter): RpcFailure | null {
    const judge = this.options.judge();
    if (judge?.isDisputed(block) === true) {
      return unfitBlock('it is told differently elsewhere', 'contradicted-block');
    }
    return this.put(block, () => judge?.note(block, teller));
  }

  /** As `accept`, of a block that is known to be as it is told. */
  acceptVerified(block: LinkedBlock): RpcFailure | null {
    return this.put(block);
  }

  /** The block of this hash is another than was told. */
  replace(block: LinkedBlock): void {
    this.note(this.chain?.replace(block) ?? []);
  }

  /** Nobody knows what this block is. */
  dispute(point: ChainPoint, reason: string): void {
    this.note(this.chain?.dispute(point, reason) ?? []);
  }

  /** Something is no longer open. */
  recheck(): void {
    this.note(this.chain?.recheck() ?? []);
  }

  giveUp({ point, reason }: GivenUp): void {
    this.note(this.chain?.giveUp(point, reason) ?? []);
  }

  observeFinal(slot: Slot): void {
    this.note(this.chain?.observeFinal(slot) ?? []);
  }

  /** Blocks that are missed, lowest slot first. */
  wanted(): readonly ChainPoint[] {
    return this.chain?.wanted() ?? [];
  }

  /** Blocks of final slots that were named missing. */
  wantedLate(): readonly ChainPoint[] {
    return this.chain?.wantedLate() ?? [];
  }

  tell(code: SourceProblemCode, origin: string, position: string | null, message: string): void {
    this.reportProblem({ code, origin, position, message });
  }

  reportProblem(problem: SourceProblem): void {
    this.items.push({ kind: 'problem', problem });
  }

  private put(block: LinkedBlock, onTaken?: () => void): RpcFailure | null {
    if (this.chain === null) return null;
    // What is open is not called final by the block's own coming.
    if (this.chain.isNew(block)) onTaken?.();
    const { verdict, steps } = this.chain.accept(block);
    this.note(steps);
    if (verdict === 'refused') {
      return unfitBlock('the block comes before its own parent', 'bad-transaction');
    }
    if (verdict === 'known' || verdict === 'late') this.duplicateCount++;
    if (verdict !== 'no-room' && block.slot > (this.frontier ?? -1)) this.frontier = block.slot;
    return null;
  }

  private note(steps: readonly LogStep<LinkedBlock>[]): void {
    this.items.push(...steps.map(itemOf));
    const reason = this.chain?.stopReason ?? null;
    if (reason !== null) this.tell('deep-fork', this.options.origin(), null, reason);
  }
}

function itemOf(step: LogStep<LinkedBlock>): SourceItem {
  return step.kind === 'block' ? step.block.item : step;
}
