import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import type { ChainView, Commitment } from './block-window.ts';
import type { Faults } from './faults.ts';
import { parseStreamRequest, type StreamRequest } from './yellowstone-request.ts';
import { blockUpdates, pingUpdate, pongUpdate, slotUpdate } from './yellowstone-updates.ts';

export type StreamCall = ServerDuplexStream<Buffer, Uint8Array>;

export interface StreamLimits {
  /** Maximum bytes queued for a client in addition to the replay it requested. */
  readonly queueBytes: number;
  /** How many slots a replay may go back; 0 if replay is not supported. */
  readonly replaySlots: number;
}

/** The parts of a server that a subscriber needs. */
export interface StreamContext {
  readonly faults: Faults;
  readonly limits: StreamLimits;
  readonly currentView: () => ChainView;
}

interface Refusal {
  readonly code: number;
  readonly details: string;
}

/** Status codes of gRPC. */
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
  /** The connection stays open, but nothing is transmitted any more. */
  private isStalled = false;
  /** Pings continue, data does not. */
  private isLost = false;
  /** Sent after the next one. */
  private delayed: Uint8Array | null = null;

  constructor(call: StreamCall, context: StreamContext) {
    this.call = call;
    this.context = context;
    call.on('data', (bytes: Buffer) => this.take(bytes));
    call.on('drain', () => {
      this.isBlocked = false;
      this.pump();
    });
    // The call has ended: there is no client to notify.
    for (const event of ['end', 'error', 'cancelled', 'close']) {
      call.on(event, () => this.stop());
    }
  }

  /** Only after a request: a ping confirms that the request was accepted. */
  ping(): void {
    if (this.request !== null) this.add(pingUpdate());
  }

  /** Sends the updates of new blocks. */
  publish(before: ChainView, after: ChainView): void {
    const { request } = this;
    if (request === null || this.isOver || this.isLost) return;
    for (const commitment of COMMITMENTS) {
      const [start, end] = [before.tip(commitment).slot, after.tip(commitment).slot];
      for (const { block } of after.blocksBetween(start, end, commitment)) {
        if (commitment === request.commitment) this.sendBlock(block, request);
        const status = slotUpdate(block, commitment, request);
        if (status !== null) this.add(status);
      }
    }
  }

  private sendBlock(block: SimulatedBlock, request: StreamRequest): void {
    if (this.context.faults.strikes('listHoles', `stream ${block.slot}`)) return;
    for (const update of blockUpdates(block, request)) this.spoil(update);
  }

  /** Ends the call as a server must in this case. */
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

  /** Queues data after applying the configured faults. */
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
    const delayed = this.delayed;
    if (delayed === null && faults.strikes('notificationSwap', key)) {
      this.delayed = bytes;
      return;
    }
    this.add(bytes);
    if (faults.strikes('notificationDuplicate', key)) this.add(bytes);
    if (delayed !== null) this.add(delayed);
    this.delayed = null;
  }

  private add(update: Uint8Array): void {
    if (this.isOver || this.isStalled) return;
    this.queue.push(update);
    this.queuedBytes += update.length;
    this.pump();
    if (this.queuedBytes <= this.context.limits.queueBytes) return;
    this.end(INTERNAL, 'lagged to send an update');
  }

  /** Sends as much as the connection accepts, the replay first. */
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

/** The updates of all slots from one on, as they were originally sent. */
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
