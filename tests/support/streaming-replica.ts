import { once } from 'node:events';
import type { Socket } from 'node:net';
import { TopicHub } from '../../src/api/streams/topics/topic-hub.ts';
import { NUMBERS_PER_STEP } from '../../src/model/shared-numbers.ts';
import { asSlot } from '../../src/model/units.ts';
import { fakeApiDeps, fakePool, POOL, SLOT } from './fake-api-deps.ts';
import { fakeApiServer } from './fake-api-server.ts';
import { listening } from './relay-stage.ts';

export const POOL_EVENTS = `/v1/stream/sse?topic=pool&pair_address=${POOL}`;
/** As `FrameNumbers` numbers the first item of a step. */
const FIRST_OF_STEP = 2 ** 16;

/** A replica whose steps a test applies; the first is applied already. */
export class StreamingReplica {
  readonly hub: TopicHub;
  origin = '';
  private readonly server: ReturnType<typeof fakeApiServer>;
  private readonly sockets = new Set<Socket>();
  private isOpen = true;

  private constructor() {
    const hub: TopicHub = new TopicHub({
      nowMs: () => 1,
      isShared: true,
      currentSlot: () => SLOT,
      onWanted: (id) => hub.confirm(id, true),
    });
    this.hub = hub;
    this.server = fakeApiServer(fakeApiDeps({ hub }), { openOps: true });
    this.server.server.on('connection', (socket) => this.sockets.add(socket));
  }

  static async start(): Promise<StreamingReplica> {
    const replica = new StreamingReplica();
    replica.origin = await listening(replica.server);
    replica.apply(1);
    return replica;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** `sent`: items of the step that get out before the process dies. */
  apply(step: number, items = 1, sent = items): void {
    const all = Array.from({ length: items }, (_, index) => index).slice(0, sent);
    this.hub.take({
      ...{ slot: asSlot(step), timeMs: null, solUsd: null, finalSlot: null, isUndone: false },
      items: all.map(() => ({ topic: 'pool', pool: fakePool() }) as const),
      seqs: all.map((index) => seqOf(step, index)),
    });
    if (sent === items) this.hub.published((step + 1) * NUMBERS_PER_STEP - 1);
  }

  /** Cuts all connections, as a process that is killed. */
  async kill(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    const closed = once(this.server.server, 'close');
    this.server.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
    await this.server.close();
  }
}

/** The replica that a stream is open at, and the other, once that one was prepared for it. */
export async function parted([one, two]: readonly [StreamingReplica, StreamingReplica]): Promise<
  readonly [StreamingReplica, StreamingReplica]
> {
  const isPrepared = () =>
    Math.min(one.hub.subjects, two.hub.subjects) > 0 &&
    Math.min(one.hub.subscriptions, two.hub.subscriptions) === 0;
  while (!isPrepared()) await turn();
  return one.hub.subscriptions > 0 ? [one, two] : [two, one];
}

export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The numbers of the messages in an event stream, as step and item. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(/"topic":"pool","seq":(\d+)/g)].map(([, seq]) => nameOf(Number(seq)));
}

export function seqOf(step: number, index: number): number {
  return step * NUMBERS_PER_STEP + FIRST_OF_STEP + index;
}

export function nameOf(seq: number): string {
  return `${Math.floor(seq / NUMBERS_PER_STEP)}.${(seq % NUMBERS_PER_STEP) - FIRST_OF_STEP}`;
}
