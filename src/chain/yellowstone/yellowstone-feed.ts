import type { Clock } from '../../lib/clock.ts';
import { mapAhead } from '../../lib/map-ahead.ts';
import type { SourceProblem } from '../../model/errors.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { BlockLink } from '../block-link.ts';
import type { BlockStream, StreamItem, StreamUse } from '../block-stream.ts';
import type { BlockMeta } from '../protobuf/block-fields.ts';
import {
  type LocatedUpdate,
  locateYellowstoneUpdate,
  readUpdateBlock,
} from '../protobuf/yellowstone-update.ts';
import type { RawBlockDecoder } from '../recorded/raw-block.ts';
import type { BlockStreamStatus } from '../source-status.ts';
import { RecentBlocks } from './recent-blocks.ts';
import { ReconnectPace } from './reconnect-pace.ts';
import { ReplayChoice } from './replay-choice.ts';
import { type Assembled, type AssemblerLimits, SlotAssembler } from './slot-assembler.ts';
import { describeEnd, streamEndOf } from './stream-end.ts';
import { StreamWatch, type WatchTiming } from './stream-watch.ts';
import { encodeSubscribe, type SubscribeMode } from './subscribe-request.ts';
import type { StreamStatus, UpdateClient } from './update-stream.ts';

export interface FeedTiming extends WatchTiming {
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
  readonly attemptsPerMinute: number;
}

const TIMING: FeedTiming = {
  pingIntervalMs: 10_000,
  silenceMs: 20_000,
  dataSilenceMs: 60_000,
  delayMinMs: 500,
  delayMaxMs: 30_000,
  attemptsPerMinute: 10,
};

export interface FeedOptions {
  readonly client: UpdateClient;
  readonly mode: SubscribeMode;
  readonly clock: Clock;
  /** Returns numbers in [0, 1); spreads reconnections. */
  readonly random: () => number;
  /** Ends the feed. */
  readonly signal: StreamUse['signal'];
  /** Without it replays begin at the newest emitted block. */
  readonly resumeSlot?: StreamUse['resumeSlot'];
  readonly timing?: Partial<FeedTiming>;
  readonly assembler?: Partial<AssemblerLimits>;
  /** Decodes blocks off this thread; without it they are read on it, one at a time. */
  readonly decoder?: RawBlockDecoder | null;
}

/** A block is accompanied by up to three slot updates. */
const ITEMS_A_BLOCK = 4;

/** A block as it arrived, with its link. */
interface LocatedBlock {
  readonly kind: 'located';
  readonly link: BlockLink;
  /** A `SubscribeUpdateBlock`. */
  readonly content: Uint8Array;
}

type FeedItem = LocatedBlock | Exclude<StreamItem, { readonly kind: 'block' }>;

/** Counts since the start of the feed. */
export interface FeedSummary {
  attempts: number;
  interruptions: number;
  updates: number;
  blocks: number;
  /** Blocks that had been emitted before, as in replays. */
  duplicates: number;
  incomplete: number;
  problems: number;
}

/**
 * Confirmed blocks from a Yellowstone server, until the signal: reconnects after cuts, silence and
 * refusals, requests a replay of missed blocks where available, and skips blocks it already
 * emitted. Blocks may be missing or out of order; the consumer detects this from their parents. The
 * next message is read when the previous one has been processed, or while the decoder has capacity
 * for more blocks, so a slow consumer slows the server and nothing accumulates here.
 */
export class YellowstoneFeed implements BlockStream {
  readonly summary: FeedSummary = {
    attempts: 0,
    interruptions: 0,
    updates: 0,
    blocks: 0,
    duplicates: 0,
    incomplete: 0,
    problems: 0,
  };
  private readonly options: FeedOptions;
  private readonly timing: FeedTiming;
  private readonly pace: ReconnectPace;
  private readonly replay = new ReplayChoice();
  private readonly recent = new RecentBlocks();
  private readonly assembler: SlotAssembler;
  /** Lowest incomplete slot when the last connection ended. */
  private openSlot: Slot | null = null;
  private isStreaming = false;
  private lastEnd: string | null = null;

  constructor(options: FeedOptions) {
    this.options = options;
    this.timing = { ...TIMING, ...options.timing };
    this.pace = new ReconnectPace({ ...this.timing, random: options.random });
    this.assembler = new SlotAssembler(options.assembler);
  }

  get status(): BlockStreamStatus {
    const { attempts, interruptions, blocks, duplicates, incomplete } = this.summary;
    const { origin } = this.options.client;
    const { isStreaming, lastEnd } = this;
    const counts = { attempts, interruptions, blocks, duplicates, incomplete };
    return { origin, isStreaming, ...counts, lastEnd };
  }

  /** Transactions kept for blocks that are not whole yet. */
  get heldTransactions(): number {
    return this.assembler.heldTransactions;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamItem, void> {
    const { decoder = null, signal } = this.options;
    const aheadMax = decoder === null ? 1 : decoder.aheadMax * ITEMS_A_BLOCK;
    const decoded = mapAhead(this.located(), (item) => this.streamItems(item), aheadMax);
    for await (const items of decoded) {
      if (signal.aborted) return;
      yield* items;
    }
  }

  private async *located(): AsyncGenerator<FeedItem, void> {
    const { clock, signal } = this.options;
    for (;;) {
      await clock.sleep(this.pace.delayMs(clock.nowMs()), signal);
      if (signal.aborted) return;
      const fromSlot = this.replay.begin(this.resumeSlot());
      const status = yield* this.subscription(fromSlot);
      if (signal.aborted) return;
      const end = streamEndOf(status, fromSlot !== null);
      const reason = `${this.options.client.origin}: ${describeEnd(status)}`;
      this.lastEnd = reason;
      if (end === 'denied' && this.summary.blocks === 0) {
        yield { kind: 'denied', reason };
        return;
      }
      if (end === 'denied') this.pace.noteDenial();
      this.replay.end(end, status);
      this.summary.interruptions++;
      const { willReplay } = this.replay;
      yield { kind: 'interrupted', reason, newestSlot: this.recent.newestSlot, willReplay };
    }
  }

  /** Reads one connection to its end; returns how it ended. */
  private async *subscription(fromSlot: Slot | null): AsyncGenerator<FeedItem, StreamStatus> {
    const { client, clock, mode, signal } = this.options;
    this.summary.attempts++;
    this.pace.noteAttempt(clock.nowMs());
    const stream = await client.open(encodeSubscribe({ mode, fromSlot }));
    const watch = new StreamWatch(stream, this.timing, clock, signal);
    try {
      for (;;) {
        const read = await watch.read();
        if (read.kind === 'ended') return read.status;
        this.summary.updates++;
        for (const item of this.itemsOf(read.bytes)) {
          if (item.kind === 'located') this.noteData(watch);
          yield item;
        }
      }
    } finally {
      this.isStreaming = false;
      watch.close();
      // Replays deliver whole slots again; a partial one would never be completed.
      this.openSlot = this.assembler.lowestOpenSlot;
      this.assembler.clear();
    }
  }

  private resumeSlot(): Slot | null {
    const { newestSlot } = this.recent;
    const { openSlot } = this;
    if (this.options.resumeSlot !== undefined) return this.options.resumeSlot();
    if (openSlot === null || newestSlot === null) return newestSlot;
    return asSlot(Math.min(openSlot, newestSlot));
  }

  private noteData(watch: StreamWatch): void {
    this.isStreaming = true;
    watch.noteData();
    this.pace.noteData();
    this.replay.noteData();
  }

  private itemsOf(bytes: Uint8Array): readonly FeedItem[] {
    const reading = locateYellowstoneUpdate(bytes);
    if (reading.status === 'ok') return this.itemsOfUpdate(reading.value);
    const { code, position, message } = reading;
    return [this.problem({ code, origin: this.options.client.origin, position, message })];
  }

  private itemsOfUpdate(update: LocatedUpdate): readonly FeedItem[] {
    switch (update.kind) {
      case 'block': {
        const { meta, transactionCount, content } = update;
        if (transactionCount === meta.executedTransactionCount)
          return this.itemOfBlock(meta, content);
        this.summary.incomplete++;
        return [{ kind: 'incomplete', slot: meta.slot, reason: 'the block lacks transactions' }];
      }
      case 'transaction':
        return this.itemsOfAssembled(this.assembler.addTransaction(update));
      case 'blockMeta':
        return this.itemsOfAssembled(this.assembler.addMeta(update.meta, update.bankId));
      case 'slot': {
        const { status } = update;
        return status === 'other' ? [] : [{ ...update, status }];
      }
      case 'other':
        return [];
    }
  }

  private itemsOfAssembled(assembled: readonly Assembled[]): readonly FeedItem[] {
    return assembled.flatMap((item): readonly FeedItem[] => {
      if (item.kind === 'block') return this.itemOfBlock(item.meta, item.content);
      // Late repeats of an emitted block start a new bank that is never completed.
      if (this.recent.hasSlot(item.slot)) return [];
      this.summary.incomplete++;
      return [item];
    });
  }

  private itemOfBlock(meta: BlockMeta, content: Uint8Array): readonly FeedItem[] {
    const { slot, parentSlot, blockhash, previousBlockhash } = meta;
    if (blockhash === null || previousBlockhash === null) {
      const position = `slot ${slot}`;
      const message = 'the block lacks its own or its parent’s hash';
      const { origin } = this.options.client;
      return [this.problem({ code: 'bad-transaction', origin, position, message })];
    }
    if (!this.recent.add(slot, blockhash)) {
      this.summary.duplicates++;
      // A chain that stands still has no other answer to a replay.
      this.pace.noteData();
      this.replay.noteData();
      return [];
    }
    this.summary.blocks++;
    const link = { slot, blockhash, parentSlot, previousBlockhash };
    return [{ kind: 'located', link, content }];
  }

  /**
   * The items for the consumer: for an unusable block, the problem and that the slot is incomplete.
   */
  private async streamItems(item: FeedItem): Promise<readonly StreamItem[]> {
    if (item.kind !== 'located') return [item];
    const { link, content } = item;
    const { decoder = null, client } = this.options;
    const { slot } = link;
    const { origin } = client;
    const raw = { slot, encoding: 'yellowstone', origin, content } as const;
    const decoding = (await decoder?.decode(raw)) ?? { status: 'unreadable' };
    if (decoding.status === 'decoded') {
      return [
        { kind: 'block', block: { ...link, item: { kind: 'facts', facts: decoding.facts } } },
      ];
    }
    if (decoding.status === 'failed') {
      const { message } = decoding;
      return this.unusable(slot, { code: 'decoder-stopped', origin, position: null, message });
    }
    const reading = readUpdateBlock(content);
    if (reading.status === 'ok') {
      return [{ kind: 'block', block: { ...link, item: { kind: 'block', block: reading.value } } }];
    }
    const { code, position, message } = reading;
    return this.unusable(slot, { code, origin, position, message });
  }

  private unusable(slot: Slot, problem: SourceProblem): readonly StreamItem[] {
    const { message, position } = problem;
    this.summary.incomplete++;
    const named = {
      ...problem,
      position: position === null ? `slot ${slot}` : `slot ${slot}, ${position}`,
    };
    return [this.problem(named), { kind: 'incomplete', slot, reason: message }];
  }

  private problem(problem: SourceProblem) {
    this.summary.problems++;
    return { kind: 'problem', problem } as const;
  }
}
