import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import type { ChainView, Commitment } from './block-window.ts';
import type { Faults } from './faults.ts';
import { parseStreamRequest, type StreamRequest } from './yellowstone-request.ts';
import { blockUpdates, pingUpdate, pongUpdate, slotUpdate } from './yellowstone-updates.ts';

export type StreamCall = ServerDuplexStream<Buffer, Uint8Array>;

export interface StreamLimits {
  /** Bytes that may wait for a client beside the replay it asked for. */
  readonly queueBytes: number;
  /** Slots a replay may go back; 0 where it is not offered. */
  readonly replaySlots: number;
}

/** What a subscriber needs of its server. */
export interface StreamContext {
  readonly faults: Faults;
  readonly limits: StreamLimits;
  readonly currentView: () => ChainView;
}

interface Refusal {
  readonly code: number;
  readonly details: string;
}

/** Codes of gRPC. */
const INVALID_ARGUMENT = 3;
const OUT_OF_RANGE = 11;
const INTERNAL = 13;
const UNAVAILABLE = 14;

const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/** One call of `Subscribe`. */
export class YellowstoneSubscriber {
  private readonly call: StreamCall;
  private readonly context: StreamContext;
  private request: StreamRequest | null = null;
  private replay: Iterator<Uint8Array> | null = null;
  private readonly queue: Uint8Array[] = [];
  private queuedBytes = 0;
  private sent = 0;
  private isBlocked = false;
  private isOver = false;
  /** The connection stays and nothing goes through it any more. */
  private isStalled = false;
  /** Pings go on, data does not. */
  private isLost = false;
  /** Comes after the next one. */
  private heldBack: Uint8Array | null = null;

  constructor(call: StreamCall, context: StreamContext) {
    this.call = call;
    this.context = context;
    call.on('data', (bytes: Buffer) => this.take(bytes));
    call.on('drain', () => {
      this.isBlocked = false;
      this.pump();
    });
    // Whatever ends it, nobody is left to tell.
    for (const event of ['end', 'error', 'cancelled', 'close']) {
      call.on(event, () => this.stop());
    }
  }

  /** Only after a request: whoever hears of the server knows that it was taken. */
  ping(): void {
    if (this.request !== null) this.add(pingUpdate());
  }

  /** Tells what new blocks bring. */
  publish(before: ChainView, after: ChainView): void {
    const { request } = this;
    if (request === null || this.isOver || this.isLost) return;
    for (const commitment of COMMITMENTS) {
      const [start, end] = [before.tip(commitment).slot, after.tip(commitment).slot];
      for (const { block } of after.blocksBetween(start, end, commitment)) {
        if (commitment === request.commitment) this.tellBlock(block, request);
        const status = slotUpdate(block, commitment, request);
        if (status !== null) this.add(status);
      }
    }
  }

  private tellBlock(block: SimulatedBlock, request: StreamRequest): void {
    if (this.context.faults.strikes('listHoles', `stream ${block.slot}`)) return;
    for (const update of blockUpdates(block, request)) this.spoil(update);
  }

  /** Ends the call as a server does that has to. */
  end(code: number, details: string): void {
    if (this.isOver) return;
    this.stop();
    this.call.emit('error', { code, details });
  }

  private take(bytes: Buffer): void {
    if (this.isStalled || this.isOver) return;
    try {
      const request = parseStreamRequest(bytes);
      if (request.pingId !== null) this.add(pongUpdate(request.pingId));
      else this.subscribe(request);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.end(INVALID_ARGUMENT, error.message);
    }
  }

  private subscribe(request: StreamRequest): void {
    const view = this.context.currentView();
    const refusal = this.refusalOf(request, view);
    if (refusal !== null) {
      this.end(refusal.code, refusal.details);
      return;
    }
    const { fromSlot } = request;
    this.replay = fromSlot === null ? null : replayOf(view, fromSlot, request);
    this.request = request;
    this.pump();
  }

  private refusalOf({ commitment, fromSlot }: StreamRequest, view: ChainView): Refusal | null {
    const { faults, limits } = this.context;
    if (faults.strikes('subscribeError', faults.ask('stream'))) {
      return fromSlot === null
        ? { code: UNAVAILABLE, details: 'no more room for subscriptions' }
        : { code: INTERNAL, details: 'failed to get replay response' };
    }
    if (fromSlot === null) return null;
    if (limits.replaySlots === 0) return { code: INTERNAL, details: 'from_slot is not supported' };
    const first = Math.max(view.firstAvailable, view.tip(commitment).slot - limits.replaySlots + 1);
    if (fromSlot >= first) return null;
    const details = `broadcast from ${fromSlot} is not available, last available: ${first}`;
    return { code: OUT_OF_RANGE, details };
  }

  /** Adds data with what the switchboard does to it. */
  private spoil(update: Uint8Array): void {
    const { faults } = this.context;
    const key = `stream ${this.sent++}`;
    if (faults.strikes('socketCut', key)) this.end(UNAVAILABLE, 'shutting down');
    if (faults.strikes('socketStall', key)) this.isStalled = true;
    if (faults.strikes('subscriptionLoss', key)) this.isLost = true;
    if (this.isLost) return;
    const bytes = faults.strikes('notificationGarbage', key)
      ? update.subarray(0, 1 + faults.details('notificationGarbage', key).below(update.length - 1))
      : update;
    const held = this.heldBack;
    if (held === null && faults.strikes('notificationSwap', key)) {
      this.heldBack = bytes;
      return;
    }
    this.add(bytes);
    if (faults.strikes('notificationDuplicate', key)) this.add(bytes);
    if (held !== null) this.add(held);
    this.heldBack = null;
  }

  private add(update: Uint8Array): void {
    if (this.isOver || this.isStalled) return;
    this.queue.push(update);
    this.queuedBytes += update.length;
    this.pump();
    if (this.queuedBytes <= this.context.limits.queueBytes) return;
    this.end(INTERNAL, 'lagged to send an update');
  }

  /** Sends what the connection takes: the replay first. */
  private pump(): void {
    while (!this.isBlocked && !this.isOver && !this.isStalled) {
      const update = this.nextUpdate();
      if (update === null) return;
      this.isBlocked = !this.call.write(update);
    }
  }

  private nextUpdate(): Uint8Array | null {
    const replayed = this.replay?.next();
    if (replayed?.done === false) return replayed.value;
    this.replay = null;
    const update = this.queue.shift() ?? null;
    this.queuedBytes -= update?.length ?? 0;
    return update;
  }

  private stop(): void {
    this.isOver = true;
    this.replay = null;
    this.queue.length = 0;
    this.queuedBytes = 0;
  }
}

/** What is known of the slots from one on, as it was sent when they came. */
function* replayOf(
  view: ChainView,
  fromSlot: number,
  request: StreamRequest,
): Generator<Uint8Array> {
  const { commitment } = request;
  const tipSlot = view.tip(commitment).slot;
  for (const { block } of view.blocksBetween(fromSlot - 1, tipSlot, commitment)) {
    yield* blockUpdates(block, request);
    const status = slotUpdate(block, commitment, request);
    if (status !== null) yield status;
  }
}
