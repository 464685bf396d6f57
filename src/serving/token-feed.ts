import { setTimeout as delay } from 'node:timers/promises';
import type { FoldPoint, TokenBatch, TokenUpdate, TrackingUpdate } from '../gathering/messages.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { PoolRecord, SlotChanges, TokenRecord } from '../model/derived.ts';
import type { Address, Slot } from '../model/units.ts';
import type { ChangedQuery, ChangedRecords } from '../store/reads/changed-records.ts';
import { type FilteredUpdates, TokenFilter } from './token-filter.ts';

/** What the feed looks at. */
export interface FedState {
  readonly engine: {
    readonly lastSlot: Slot | null;
    token(mint: Address): TokenRecord | null;
    pool(pool: Address): PoolRecord | null;
  };
  /** Up to here nothing is taken back; -1 before any. */
  readonly finalSlot: number;
  /** How far the stored rows go, and of which fold they are. */
  readonly stored: { readonly epoch: number; readonly slot: Slot | null };
}

export interface TokenFeedOptions {
  readonly state: FedState;
  readonly changed: Pick<ChangedRecords, 'tokens' | 'pools'>;
  /** False when nobody is there to take it. */
  readonly send: (batch: TokenBatch) => boolean;
  /** Reading what was missed failed; it is tried again. */
  readonly onProblem: (error: unknown) => void;
  readonly pollMs?: number;
  readonly eventsMax?: number;
}

/** Records of a page, and of a batch. */
export const PAGE = 500;
/** Batches that are on their way; more wait here. */
const UNTAKEN_MAX = 4;
/** News that wait here; more are read from the store once there is room. */
const EVENTS_MAX = 50_000;
const POLL_MS = 1_000;
/** The place is told at least so often, also where nothing else is: some minute of a chain. */
const PLACE_EVERY_SLOTS = 150;

/** What one slot told. */
interface SlotUpdates extends FilteredUpdates {
  readonly slot: Slot;
}

/**
 * Tells the gathering thread of tokens once their slot is final. What it was not told while there
 * was no thread, or while it was slow, is read from the store, and joins what is told live: from the
 * beginning of that reading on every slot is kept here until it may be told.
 */
export class TokenFeed implements FoldListener {
  private readonly options: TokenFeedOptions;
  private readonly tokenFilter: TokenFilter;
  private waiting: SlotUpdates[] = [];
  private waitingEvents = 0;
  private mode: 'away' | 'reading' | 'live' = 'away';
  /** Grows with each reading: an older one that still waits for the store ends. */
  private readings = 0;
  private sent = 0;
  private taken = 0;
  private told: FoldPoint | null = null;
  private room: (() => void) | null = null;

  constructor(options: TokenFeedOptions) {
    this.options = options;
    this.tokenFilter = new TokenFilter(() => options.state.engine);
  }

  /** The thread is there, and was told everything up to `reached`. */
  ready(reached: FoldPoint | null, tracked: readonly TrackingUpdate[]): void {
    this.sent = 0;
    this.taken = 0;
    this.tokenFilter.reset(tracked);
    this.read(reached);
  }

  /** A batch was kept. */
  took(number: number): void {
    this.taken = Math.max(this.taken, number);
    this.room?.();
    this.flush();
  }

  /** The thread is gone. */
  lost(): void {
    this.mode = 'away';
    this.readings++;
    this.waiting = [];
    this.waitingEvents = 0;
    this.room?.();
  }

  onApplied(changes: SlotChanges): void {
    if (this.mode === 'away') return;
    const { slot } = changes;
    const updates = this.tokenFilter.updatesOf(changes);
    const count = updates.tokens.length + updates.tracked.length;
    if (count === 0) return;
    this.waiting.push({ slot, ...updates });
    this.waitingEvents += count;
    if (this.waitingEvents > (this.options.eventsMax ?? EVENTS_MAX)) this.read(this.told);
  }

  onReverted({ slot }: Pick<SlotChanges, 'slot'>): void {
    if (this.mode === 'away') return;
    for (const updates of this.waiting.toReversed())
      if (updates.slot >= slot) this.tokenFilter.forget(updates);
    this.waiting = this.waiting.filter((updates) => updates.slot < slot);
    this.waitingEvents = this.waiting.reduce((sum, { tokens, tracked }) => {
      return sum + tokens.length + tracked.length;
    }, 0);
  }

  /** Another fold may know more of slots that were told. */
  onReplaced(): void {
    if (this.mode !== 'away') this.read(null);
  }

  onStep(): void {
    this.flush();
  }

  /** Tells what is final, as far as there is room on the way. */
  private flush(): void {
    const { finalSlot, stored } = this.options.state;
    while (this.mode === 'live' && this.hasCapacity) {
      const ready = this.takeFinal(finalSlot);
      const isAll = (this.waiting[0]?.slot ?? Number.POSITIVE_INFINITY) > finalSlot;
      const reached = isAll ? { epoch: stored.epoch, slot: finalSlot as Slot } : null;
      const isPlaceOld = finalSlot - (this.told?.slot ?? -1) >= PLACE_EVERY_SLOTS;
      if (ready.tokens.length + ready.tracked.length === 0 && !(isAll && isPlaceOld)) return;
      this.send(ready, reached);
    }
  }

  private takeFinal(finalSlot: number): Pick<TokenBatch, 'tokens' | 'tracked'> {
    const tokens: TokenUpdate[] = [];
    const tracked: TrackingUpdate[] = [];
    while (tokens.length + tracked.length < PAGE) {
      const [next] = this.waiting;
      if (next === undefined || next.slot > finalSlot) break;
      this.waiting.shift();
      this.waitingEvents -= next.tokens.length + next.tracked.length;
      tokens.push(...next.tokens);
      tracked.push(...next.tracked);
    }
    return { tokens, tracked };
  }

  private get hasCapacity(): boolean {
    return this.sent - this.taken < UNTAKEN_MAX;
  }

  private send(updates: Pick<TokenBatch, 'tokens' | 'tracked'>, reached: FoldPoint | null): void {
    const isSent = this.options.send({ kind: 'tokens', number: ++this.sent, ...updates, reached });
    if (!isSent) this.lost();
    else if (reached !== null) this.told = reached;
  }

  /** Begins to read what comes after a place, and keeps what comes live meanwhile. */
  private read(after: FoldPoint | null): void {
    this.mode = 'reading';
    for (const updates of this.waiting.toReversed()) this.tokenFilter.forget(updates);
    this.waiting = [];
    this.waitingEvents = 0;
    this.told = after;
    const reading = ++this.readings;
    this.catchUp(reading, this.options.state.engine.lastSlot ?? -1).catch((error: unknown) => {
      this.options.onProblem(error);
    });
  }

  /** Reads until the store holds `liveAfter`, from where on slots are kept here. */
  private async catchUp(reading: number, liveAfter: number): Promise<void> {
    const { pollMs = POLL_MS, onProblem } = this.options;
    while (this.readings === reading) {
      try {
        await this.readStored(reading);
      } catch (error) {
        onProblem(error);
      }
      if (this.readings !== reading) return;
      if ((this.told?.slot ?? -1) >= liveAfter) {
        this.mode = 'live';
        this.flush();
        return;
      }
      await delay(pollMs, undefined, { ref: false });
    }
  }

  private async readStored(reading: number): Promise<void> {
    const { epoch, slot: throughSlot } = this.options.state.stored;
    if (throughSlot === null) return;
    const afterSlot = this.told?.epoch === epoch ? this.told.slot : null;
    if (afterSlot !== null && afterSlot >= throughSlot) return;
    const span = { epoch, afterSlot, throughSlot };
    await this.readPages(reading, 'tokens', span);
    await this.readPages(reading, 'pools', span);
    if (this.readings !== reading || !(await this.untilCapacity(reading))) return;
    this.send({ tokens: [], tracked: [] }, { epoch, slot: throughSlot });
  }

  private async readPages(
    reading: number,
    what: 'tokens' | 'pools',
    span: { readonly epoch: number; readonly afterSlot: Slot | null; readonly throughSlot: Slot },
  ): Promise<void> {
    const { changed } = this.options;
    let afterAddress: Address | '' = '';
    while (this.readings === reading && (await this.untilCapacity(reading))) {
      const query: ChangedQuery = { ...span, afterAddress, limit: PAGE };
      const tokens: readonly TokenRecord[] = what === 'tokens' ? await changed.tokens(query) : [];
      const pools: readonly PoolRecord[] = what === 'pools' ? await changed.pools(query) : [];
      if (this.readings !== reading) return;
      const updates = this.tokenFilter.updatesOfRecords(tokens, pools);
      if (updates.tokens.length + updates.tracked.length > 0) this.send(updates, null);
      const last: Address | undefined = tokens.at(-1)?.mint ?? pools.at(-1)?.pool;
      if (last === undefined || tokens.length + pools.length < PAGE) return;
      afterAddress = last;
    }
  }

  private async untilCapacity(reading: number): Promise<boolean> {
    while (!this.hasCapacity && this.readings === reading) {
      await new Promise<void>((resolve) => {
        this.room = resolve;
      });
    }
    return this.readings === reading;
  }
}
