import { join } from 'node:path';
import type { TransactionEncoding } from '../../simulator/faces/format-transaction.ts';
import type { ServedSimulation } from '../../simulator/faces/node/simulated-node.ts';
import type { SteppingChain } from '../../simulator/faces/simulated-source.ts';
import { WholeFiles, type WriteOutcome } from '../../simulator/faces/whole-files.ts';
import { BlockFiles, type Compression } from '../../simulator/faces/write-blocks.ts';
import { PostFiles } from '../../simulator/faces/write-posts.ts';
import type { PostLedger } from '../../simulator/posts/post-ledger.ts';
import type { FeedEntry } from '../../simulator/posts/social-post.ts';
import type { SimulationConfig } from '../../simulator/simulation-config.ts';
import { formatLabels } from '../../simulator/truth/format-labels.ts';
import type { TruthBook } from '../../simulator/truth/truth-book.ts';

/** Names inside the output folder. */
export const LABELS_FILE = 'labels.json';
export const BLOCKS_FOLDER = 'blocks';

/** The part of a simulation needed by `simulate`. */
export interface WritableSimulation extends SteppingChain {
  readonly truth: TruthBook;
  readonly world: ServedSimulation['world'];
  readonly posts: PostLedger;
  takePosts(): readonly FeedEntry[];
}

/** What to write of a simulation, and how. */
export interface WritingRequest {
  /** Writable folder that contains BLOCKS_FOLDER. */
  readonly folder: string;
  /** Number of slots to simulate. */
  readonly slots: number;
  readonly config: SimulationConfig;
  readonly encoding: TransactionEncoding;
  /** Null for uncompressed files. */
  readonly compression: Compression | null;
  readonly blocksPerFile: number;
  readonly hasLabels: boolean;
  readonly hasPosts: boolean;
}

/** Number of slots between turns of the event loop, which allow signals to be handled. */
const SLOTS_PER_TURN = 16;
const PROGRESS_STEP_MS = 1_000;
const OK: WriteOutcome = { status: 'ok' };

/**
 * Writes the blocks of a market into a folder and, on request, its labels and posts next to them.
 * Each file is complete or absent.
 */
export class WritingRun {
  private readonly request: WritingRequest;
  private readonly simulation: WritableSimulation;
  private readonly blockFiles: BlockFiles;
  private readonly otherFiles: WholeFiles;
  private readonly postFiles: PostFiles | null;
  private readonly counts = { slots: 0, skipped: 0, dropped: 0 };
  private labels: string | null = null;
  private publishedAtMs = performance.now();

  constructor(request: WritingRequest, simulation: WritableSimulation) {
    this.request = request;
    this.simulation = simulation;
    this.blockFiles = new BlockFiles({ ...request, folder: join(request.folder, BLOCKS_FOLDER) });
    this.otherFiles = new WholeFiles(request.folder);
    this.postFiles = request.hasPosts ? new PostFiles(request.folder) : null;
  }

  /**
   * Writes until all slots have passed or the signal is aborted, then flushes incomplete files.
   * Stops at the first file that cannot be written and returns it.
   */
  async write(signal: AbortSignal): Promise<WriteOutcome> {
    for (let passed = 0; passed < this.request.slots && !signal.aborted; passed++) {
      const outcome = await this.passSlot();
      if (outcome.status === 'failed') return outcome;
      this.reportProgress();
      if (passed % SLOTS_PER_TURN === 0) await new Promise(setImmediate);
    }
    for (const finish of [
      () => this.blockFiles.finish(),
      () => this.writeLabels(),
      () => this.finishPosts(),
    ]) {
      const outcome = await finish();
      if (outcome.status === 'failed') return outcome;
    }
    return OK;
  }

  private async passSlot(): Promise<WriteOutcome> {
    const step = this.simulation.step();
    this.counts.slots++;
    const posts = this.simulation.takePosts();
    const written = await this.postFiles?.add(posts);
    if (written?.status === 'failed') return written;
    if (step === null) this.counts.skipped++;
    else if (step.isCanonical) return await this.blockFiles.add(step.block);
    else this.counts.dropped++;
    return OK;
  }

  private async writeLabels(): Promise<WriteOutcome> {
    if (!this.request.hasLabels) return OK;
    const text = formatLabels(this.simulation.truth.labels);
    const outcome = await this.otherFiles.write(LABELS_FILE, Buffer.from(text));
    if (outcome.status === 'ok') this.labels = LABELS_FILE;
    return outcome;
  }

  private async finishPosts(): Promise<WriteOutcome> {
    return (await this.postFiles?.finish(this.simulation.posts)) ?? OK;
  }

  private reportProgress(): void {
    const nowMs = performance.now();
    if (nowMs - this.publishedAtMs < PROGRESS_STEP_MS) return;
    this.publishedAtMs = nowMs;
    const { slots } = this.counts;
    const percent = Math.floor((100 * slots) / this.request.slots);
    const { transactions } = this.simulation.truth;
    process.stderr.write(
      `writing ${percent}% | ${slots} of ${this.request.slots} slots, ${transactions} transactions\n`,
    );
  }

  /** Blocks, files and bytes count what was written; the other figures count what was simulated. */
  summary() {
    const { truth } = this.simulation;
    const { slots, skipped, dropped } = this.counts;
    const { files } = this.blockFiles;
    return {
      seed: this.request.config.seed,
      slots,
      skipped_slots: skipped,
      dropped_blocks: dropped,
      blocks: this.blockFiles.blocks,
      last_slot: this.blockFiles.lastSlot,
      transactions: truth.transactions,
      failed_transactions: truth.failed,
      launches: truth.launches.length,
      attacks: truth.labels.attacks.length,
      benign: truth.labels.benign.length,
      files: files.count,
      bytes: files.bytes,
      labels: this.labels,
      posts: this.postFiles?.records ?? null,
    };
  }
}
