import { ROOT_CONTEXT, type Span, type Tracer, trace } from '@opentelemetry/api';

/** The times of one slot; null until they are known. */
interface SlotTimes {
  readonly slot: number;
  readonly root: Span;
  readonly receivedMs: number;
  readonly decodedMs: number;
  appliedMs: number | null;
  visibleMs: number | null;
}

/** Slots whose spans are open at most: more than can be reverted and wait to be written. */
const OPEN_SLOTS_MAX = 4_096;

/**
 * One trace for each slot: `slot`, from its arrival until it is visible and stored, with the parts
 * `decode`, `apply`, `publish` and `store`. A slot is stored once it is final, seconds after it is
 * visible.
 */
export class SlotSpans {
  private readonly tracer: Tracer;
  private readonly nowMs: () => number;
  private readonly open = new Map<number, SlotTimes>();
  /** Called for each slot once clients see it: seconds since it arrived, and its trace. */
  onVisible: (seconds: number, traceId: string) => void = () => undefined;
  private receivedMs: number | null = null;
  private publishedSlot: number | null = null;

  /** `nowMs` is a clock in milliseconds since 1970, with fractions. */
  constructor(tracer: Tracer, nowMs: () => number = preciseNowMs) {
    this.tracer = tracer;
    this.nowMs = nowMs;
  }

  /** Passes a source's items on; the next slot arrived with the item. */
  async *watch<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      this.receivedMs = this.nowMs();
      yield item;
    }
  }

  /** A slot is decoded, and about to be applied. */
  decoded(slot: number, transactions: number): void {
    const decodedMs = this.nowMs();
    const receivedMs = this.receivedMs ?? decodedMs;
    this.end(slot, decodedMs);
    const root = this.tracer.startSpan(
      'slot',
      {
        startTime: receivedMs,
        attributes: { 'solana.slot': slot, 'solana.transactions': transactions },
      },
      ROOT_CONTEXT,
    );
    this.part(root, 'decode', receivedMs, decodedMs);
    this.open.set(slot, { slot, root, receivedMs, decodedMs, appliedMs: null, visibleMs: null });
    const [oldest] = this.open.keys();
    if (this.open.size > OPEN_SLOTS_MAX && oldest !== undefined) this.end(oldest, decodedMs);
  }

  applied(slot: number): void {
    const times = this.open.get(slot);
    if (times === undefined || times.appliedMs !== null) return;
    times.appliedMs = this.nowMs();
    this.part(times.root, 'apply', times.decodedMs, times.appliedMs);
  }

  /** A slot was taken back, because the chain left its branch. */
  reverted(slot: number): void {
    this.open.get(slot)?.root.setAttribute('mintscope.reverted', true);
    this.end(slot, this.nowMs());
  }

  /** The state as of a slot was sent to the thread that answers. */
  published(slot: number | null): void {
    this.publishedSlot = slot;
  }

  /** That thread answers from it. */
  seen(): void {
    const { publishedSlot } = this;
    if (publishedSlot === null) return;
    const visibleMs = this.nowMs();
    for (const times of this.open.values()) {
      const { slot, receivedMs, appliedMs, root } = times;
      if (slot > publishedSlot || appliedMs === null || times.visibleMs !== null) continue;
      times.visibleMs = visibleMs;
      this.part(root, 'publish', appliedMs, visibleMs);
      this.onVisible((visibleMs - receivedMs) / 1_000, root.spanContext().traceId);
    }
  }

  /** All rows up to a slot are stored. */
  stored(upTo: number | null): void {
    if (upTo === null) return;
    const storedMs = this.nowMs();
    for (const { slot, appliedMs, root } of this.open.values()) {
      if (slot > upTo || appliedMs === null) continue;
      this.part(root, 'store', appliedMs, storedMs);
      this.end(slot, storedMs);
    }
  }

  private end(slot: number, endMs: number): void {
    this.open.get(slot)?.root.end(endMs);
    this.open.delete(slot);
  }

  private part(root: Span, name: string, startMs: number, endMs: number): void {
    const context = trace.setSpan(ROOT_CONTEXT, root);
    this.tracer.startSpan(name, { startTime: startMs }, context).end(endMs);
  }
}

export function preciseNowMs(): number {
  return performance.timeOrigin + performance.now();
}
