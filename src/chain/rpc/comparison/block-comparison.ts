import type { Clock } from '../../../lib/clock.ts';
import { type ChainPoint, keyOf } from '../../block-link.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import type { ComparisonStatus } from '../../source-status.ts';
import type { BlockFetcher } from '../nodes/block-fetcher.ts';
import type { NodePool } from '../nodes/node-pool.ts';
import { RpcNode } from '../nodes/rpc-node.ts';
import type { BlockReading, BlockWitness, CompareMode } from '../nodes/testimony.ts';
import type { ChainLog } from '../tasks/chain-log.ts';
import type { Inbox } from '../tasks/inbox.ts';
import { examineBlock, isWitness, type Subject, type Verdict } from './examine-block.ts';
import type { Refutation } from './statements.ts';

export interface ComparisonOptions {
  readonly pool: NodePool;
  /** Whether a stream delivers blocks too; blocks cannot be requested from it. */
  readonly hasStream: boolean;
  readonly fetcher: BlockFetcher | null;
  readonly reading: BlockReading;
  readonly mode: Exclude<CompareMode, 'off'>;
  /** A block that no other node has supplied within this time is accepted unverified. */
  readonly patienceMs: number;
  readonly clock: Clock;
  /** In [0, 1); draws the sample, so no node can predict which blocks are in it. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onNotice?: ((sentence: string) => void) | undefined;
}

/** Blocks compared at the same time. */
const RUNNING_MAX = 8;
/** With more blocks waiting for comparison, no new ones are fetched. */
const WAITING_MAX = 64;
/** One block of this many is in the sample. */
const SAMPLE_OF = 16;
/** Bound on blocks remembered as disputed. */
const DISPUTED_MAX = 1_024;

/**
 * Obtains a second statement on every block while it may still be reverted. A block that was wrong
 * is replaced by the correct one; one that cannot be decided becomes a gap.
 */
export class BlockComparison {
  private readonly options: ComparisonOptions;
  private readonly log: ChainLog;
  private readonly inbox: Inbox;
  private readonly waiting = new Map<string, Subject>();
  private readonly running = new Set<string>();
  private readonly disputed = new Map<string, readonly BlockWitness[]>();
  private readonly counts = { agreed: 0, corrected: 0, undecided: 0, unverified: 0 };

  constructor(options: ComparisonOptions, log: ChainLog, inbox: Inbox) {
    this.options = options;
    this.log = log;
    this.inbox = inbox;
  }

  get status(): ComparisonStatus {
    return { mode: this.options.mode, ...this.counts, waiting: this.waiting.size };
  }

  /** A node other than the first emitter of a block must exist. */
  get canCompare(): boolean {
    const { pool, hasStream } = this.options;
    return pool.all.length > (hasStream ? 0 : 1);
  }

  /** Too many blocks wait for more to be worth fetching. */
  get isFull(): boolean {
    return this.waiting.size >= WAITING_MAX;
  }

  /** The comparison of the block is not finished. */
  isOpen(point: ChainPoint): boolean {
    return this.waiting.size > 0 && this.waiting.has(keyOf(point));
  }

  /** The comparison of this block was undecided: one more statement changes nothing. */
  isDisputed(point: ChainPoint): boolean {
    return this.disputed.has(keyOf(point));
  }

  /** Registers a block that is in the log or waits to be, as `blockWitness` emitted it. */
  note(block: LinkedBlock, blockWitness: BlockWitness): void {
    const { pool } = this.options;
    const isAlone = pool.nodes.every((node) => node === blockWitness);
    if (isAlone || !this.isOfSample(block)) {
      this.counts.unverified++;
      return;
    }
    this.waiting.set(keyOf(block), this.subjectOf(block, blockWitness));
  }

  /**
   * Starts every comparison that may begin. A block waits for its turn no longer than for an
   * answer, or the log would fall behind the chain.
   */
  start(): void {
    const nowMs = this.options.clock.nowMs();
    for (const [key, subject] of this.waiting) {
      if (this.running.has(key)) continue;
      if (nowMs >= subject.untilMs) {
        this.take(key, subject, { kind: 'unverified' });
        continue;
      }
      if (this.running.size >= RUNNING_MAX) return;
      this.running.add(key);
      const examined = examineBlock(subject, this.options);
      this.inbox.expect(examined.then((verdict) => () => this.take(key, subject, verdict)));
    }
  }

  /** Verifies a block that fills a gap before it is accepted; null if it cannot be accepted. */
  async confirm(block: LinkedBlock, blockWitness: BlockWitness): Promise<LinkedBlock | null> {
    const subject = this.subjectOf(block, blockWitness);
    const { point } = subject;
    const verdict = await examineBlock(subject, this.options);
    this.count(verdict.kind);
    if (verdict.kind === 'agreed' || verdict.kind === 'corrected') {
      this.recordRefuted(point, verdict.refuted);
      this.disputed.delete(keyOf(point));
    }
    if (verdict.kind === 'corrected') return verdict.block;
    return verdict.kind !== 'undecided' && this.isBelieved(point, blockWitness) ? block : null;
  }

  /**
   * Whether one statement is enough: for a disputed block only when no other emitter counts as a
   * witness.
   */
  private isBelieved(point: ChainPoint, blockWitness: BlockWitness): boolean {
    const others = (this.disputed.get(keyOf(point)) ?? []).filter(
      (other) => other !== blockWitness,
    );
    return isWitness(blockWitness) && !others.some(isWitness);
  }

  private subjectOf(block: LinkedBlock, blockWitness: BlockWitness): Subject {
    const { clock, patienceMs, reading } = this.options;
    const { slot, blockhash } = block;
    const digest = reading.digestOf(block.item);
    return {
      point: { slot, blockhash },
      digest,
      blockWitness,
      untilMs: clock.nowMs() + patienceMs,
    };
  }

  private isOfSample({ item }: LinkedBlock): boolean {
    if (this.options.mode === 'all') return true;
    const isOdd =
      item.kind === 'facts' && item.facts.problems.some(({ problem }) => problem === 'quarantined');
    return isOdd || this.options.random() * SAMPLE_OF < 1;
  }

  private take(key: string, { point }: Subject, verdict: Verdict): void {
    this.running.delete(key);
    this.waiting.delete(key);
    this.count(verdict.kind);
    if (verdict.kind === 'agreed' || verdict.kind === 'corrected')
      this.recordRefuted(point, verdict.refuted);
    if (verdict.kind === 'corrected') this.log.replace(verdict.block);
    if (verdict.kind === 'undecided') this.dispute(point, verdict.blockWitnesses);
    this.log.recheck();
  }

  private count(kind: Verdict['kind']): void {
    this.counts[kind]++;
  }

  /** Records which emitters were wrong about a block. */
  private recordRefuted({ slot }: ChainPoint, refuted: readonly Refutation[]): void {
    for (const { blockWitness, isRepeated } of refuted) {
      const message = 'the contents of this block are wrong: other nodes report different ones';
      this.log.report('contradicted-block', blockWitness.label, `slot ${slot}`, message);
      if (!(blockWitness instanceof RpcNode) || !blockWitness.refute(isRepeated)) continue;
      this.options.onNotice?.(
        `${blockWitness.label} returned wrong contents for the block of slot ${slot} and is used last for ten minutes. If this repeats, remove the node; over plain HTTP an intermediary can alter its answers.`,
      );
    }
  }

  private dispute(point: ChainPoint, blockWitnesses: readonly BlockWitness[]): void {
    this.disputed.set(keyOf(point), blockWitnesses);
    for (const oldest of this.disputed.keys()) {
      if (this.disputed.size <= DISPUTED_MAX) break;
      this.disputed.delete(oldest);
    }
    const names = [...new Set(blockWitnesses.map(({ label }) => label))].join(' and ');
    const reason = `${names} report different blocks for one hash; the correct one is unknown`;
    this.log.report('contradicted-block', names, `slot ${point.slot}`, reason);
    this.log.dispute(point, reason);
  }
}
