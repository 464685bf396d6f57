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
import type { BlockWitness } from '../nodes/testimony.ts';
import type { AbandonedBlock } from './slot-tasks.ts';

export interface ChainLogOptions {
  readonly anchor: ChainPoint | null;
  readonly gaps: readonly OpenGap[];
  /** The origin named when the log cannot continue. */
  readonly origin: () => string;
  /** Verifies blocks before they are final; null where blocks are accepted as they arrive. */
  readonly judge: () => BlockVerifier | null;
}

/** Verifies blocks against other emitters. */
export interface BlockVerifier {
  /** False where no block can ever be obtained a second time: none is replaced or disputed. */
  readonly canCompare: boolean;
  /** Registers a block that is in the log or waits to be. */
  note(block: LinkedBlock, blockWitness: BlockWitness): void;
  /** The verification of the block is not finished. */
  isOpen(point: ChainPoint): boolean;
  /** The block could not be decided: it stays out of the log. */
  isDisputed(point: ChainPoint): boolean;
}

/** The log built from arriving blocks, and the items to be emitted next. */
export class ChainLog {
  /** Newest slot of which a block arrived; later slots are listed again. */
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

  /** Blocks of the log that are kept whole in memory, because they may be emitted again. */
  get keptBlocks(): number {
    return this.chain?.keptBlocks ?? 0;
  }

  /** Blocks that arrived again or too late. */
  get duplicates(): number {
    return this.duplicateCount;
  }

  get isStopped(): boolean {
    return this.chain !== null && this.chain.stopReason !== null;
  }

  /** Opens the log; does nothing if it is open. */
  open(finality: FinalityStrategy): void {
    const { anchor, gaps, judge } = this.options;
    this.chain ??= new Continuity({
      anchor,
      gaps,
      finality,
      holdsPending: (point) => judge()?.isOpen(point) === true,
      keepsBlocks: judge()?.canCompare === true,
    });
  }

  /** Removes and returns the items to emit. */
  takeItems(): SourceItem[] {
    return this.items.splice(0);
  }

  /** Returns null, or why the block cannot be accepted. */
  accept(block: LinkedBlock, blockWitness: BlockWitness): RpcFailure | null {
    const judge = this.options.judge();
    if (judge?.isDisputed(block) === true) {
      return unfitBlock('other nodes report different contents', 'contradicted-block');
    }
    return this.put(block, () => judge?.note(block, blockWitness));
  }

  /** As `accept`, for a verified block. */
  acceptVerified(block: LinkedBlock): RpcFailure | null {
    return this.put(block);
  }

  /** Replaces the emitted block of this hash by a corrected one. */
  replace(block: LinkedBlock): void {
    this.note(this.chain?.replace(block) ?? []);
  }

  /** Removes a block whose contents cannot be decided. */
  dispute(point: ChainPoint, reason: string): void {
    this.note(this.chain?.dispute(point, reason) ?? []);
  }

  /** Checks again which blocks may be final, after a verification has ended. */
  recheck(): void {
    this.note(this.chain?.recheck() ?? []);
  }

  abandon({ point, reason }: AbandonedBlock): void {
    this.note(this.chain?.abandon(point, reason) ?? []);
  }

  observeFinal(slot: Slot): void {
    this.note(this.chain?.observeFinal(slot) ?? []);
  }

  /** Missing blocks, lowest slot first. */
  wanted(): readonly ChainPoint[] {
    return this.chain?.wanted() ?? [];
  }

  /** Blocks of final slots that were reported missing. */
  wantedLate(): readonly ChainPoint[] {
    return this.chain?.wantedLate() ?? [];
  }

  report(code: SourceProblemCode, origin: string, position: string | null, message: string): void {
    this.reportProblem({ code, origin, position, message });
  }

  reportProblem(problem: SourceProblem): void {
    this.items.push({ kind: 'problem', problem });
  }

  private put(block: LinkedBlock, onTaken?: () => void): RpcFailure | null {
    if (this.chain === null) return null;
    // Registered first, so that appending the block does not make it final at once.
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
    if (reason !== null) this.report('deep-fork', this.options.origin(), null, reason);
  }
}

function itemOf(step: LogStep<LinkedBlock>): SourceItem {
  return step.kind === 'block' ? step.block.item : step;
}
