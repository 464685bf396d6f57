import { setTimeout as delay } from 'node:timers/promises';
import type { FoldPoint, TokenBatch, TokenUpdate, TrackingUpdate } from '../gathering/messages.ts';
import type { FoldListener } from '../ingestion/fold-listener.ts';
import type { SlotChanges } from '../model/derived.ts';
import type { PoolRecord } from '../model/pool-record.ts';
import type { TokenRecord } from '../model/token-record.ts';
import { type Address, asSlot, type Slot } from '../model/units.ts';
import type { ChangedQuery, ChangedRecords } from '../store/reads/changed-records.ts';
import { type FilteredUpdates, TokenFilter } from './token-filter.ts';

/** State read by the feed. */
export interface FedState {
  readonly engine: {
    readonly lastSlot: Slot | null;
    token(mint: Address): TokenRecord | null;
    pool(pool: Address): PoolRecord | null;
  };
  /** Slots up to this one cannot be reverted; -1 before the first. */
  readonly finalSlot: number;
  /** Position up to which rows are stored, and their epoch. */
  readonly stored: { readonly epoch: number; readonly slot: Slot | null };
}

export interface TokenFeedOptions {
  readonly state: FedState;
  readonly changed: Pick<ChangedRecords, 'tokens' | 'pools'>;
  /** Returns false if no thread is there to receive it. */
  readonly send: (batch: TokenBatch) => boolean;
  /** Called when reading missed records failed; it is retried. */
  readonly onProblem: (error: unknown) => void;
  readonly pollMs?: number;
  readonly eventsMax?: number;
}

/** Records per page and per batch. */
export const PAGE = 500;
/** Maximum number of batches that were sent and not processed; further updates wait here. */
const UNTAKEN_MAX = 4;
/** Maximum number of waiting updates; beyond it they are dropped and read from the store later. */
const EVENTS_MAX = 50_000;
const POLL_MS = 1_000;
/** The position is sent at least this often, even without updates: about a minute of the chain. */
const POSITION_EVERY_SLOTS = 150;

/** Updates of one slot. */
interface SlotUpdates extends FilteredUpdates {
  readonly slot: Slot;
}

/**
 * Sends token updates to the gathering thread once their slot is final. Updates missed while the
 * thread was down or slow are read from the store. Slots applied during such a read are queued
 * here, so that live updates continue where the read ends.
 */
export class TokenFeed implements FoldListener {
  private readonly options: TokenFeedOptions;
  private readonly tokenFilter: TokenFilter;
  private waiting: SlotUpdates[] = [];
  private waitingEvents = 0;
  private mode: 'away' | 'reading' | 'live' = 'away';
  /** Number of reads started. A read ends when a newer one was started. */
  private readings = 0;
  private sent = 0;
  private taken = 0;
  private reached: FoldPoint | null = null;
  private onCapacity: (() => void) | null = null;

  constructor(options: TokenFeedOptions) {
    this.options = options;
    this.tokenFilter = new TokenFilter(() => options.state.engine);
  }

  /** The thread is running, and has processed everything up to `reached`. */
  ready(reached: FoldPoint | null, tracked: readonly TrackingUpdate[]): void {
    this.sent = 0;
    this.taken = 0;
    this.tokenFilter.reset(tracked);
    this.read(reached);
  }

  /** A batch was processed. */
  took(number: number): void {
    this.taken = Math.max(this.taken, number);
    this.onCapacity?.();
    this.flush();
  }

  /** The thread is gone. */
  lost(): void {
    this.mode = 'away';
    this.readings++;
    this.waiting = [];
    this.waitingEvents = 0;
    this.onCapacity?.();
  }

  onApplied(changes: SlotChanges): void {
    if (this.mode === 'away') return;
    const { slot } = changes;
    const updates = this.tokenFilter.updatesOf(changes);
    const count = updates.tokens.length + updates.tracked.length;
    if (count === 0) return;
    this.waiting.push({ slot, ...updates });
    this.waitingEvents += count;
    if (this.waitingEvents > (this.options.eventsMax ?? EVENTS_MAX)) this.read(this.reached);
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

  /** The new engine may have different data for slots that were already sent. */
  onReplaced(): void {
    if (this.mode !== 'away') this.read(null);
  }

  onStep(): void {
    this.flush();
  }

  /** Sends final updates, as far as the thread has capacity. */
  private flush(): void {
    const { finalSlot, stored } = this.options.state;
    while (this.mode === 'live' && this.hasCapacity) {
      const ready = this.takeFinal(finalSlot);
      const isAll = (this.waiting[0]?.slot ?? Number.POSITIVE_INFINITY) > finalSlot;
      const reached =
        isAll && finalSlot >= 0 ? { epoch: stored.epoch, slot: asSlot(finalSlot) } : null;
      const isPositionOld = finalSlot - (this.reached?.slot ?? -1) >= POSITION_EVERY_SLOTS;
      if (ready.tokens.length + ready.tracked.length === 0 && !(isAll && isPositionOld)) return;
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
    else if (reached !== null) this.reached = reached;
  }

  /** Starts reading stored records after a position, while live updates are queued. */
  private read(after: FoldPoint | null): void {
    this.mode = 'reading';
    for (const updates of this.waiting.toReversed()) this.tokenFilter.forget(updates);
    this.waiting = [];
    this.waitingEvents = 0;
    this.reached = after;
    const reading = ++this.readings;
    this.catchUp(reading, this.options.state.engine.lastSlot ?? -1).catch((error: unknown) => {
      this.options.onProblem(error);
    });
  }

  /** Reads until the store contains `liveAfter`; later slots are queued here. */
  private async catchUp(reading: number, liveAfter: number): Promise<void> {
    const { pollMs = POLL_MS, onProblem } = this.options;
    while (this.readings === reading) {
      try {
        await this.readStored(reading);
      } catch (error) {
        onProblem(error);
      }
      if (this.readings !== reading) return;
      if ((this.reached?.slot ?? -1) >= liveAfter) {
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
    const afterSlot = this.reached?.epoch === epoch ? this.reached.slot : null;
    if (afterSlot !== null && afterSlot >= throughSlot) return;
    const span = { epoch, afterSlot, throughSlot };
    await this.readPages(reading, 'tokens', span);
    await this.readPages(reading, 'pools', span);
    if (this.readings !== reading || !(await this.untilCapacity(reading))) return;
    this.send({ tokens: [], tracked: [] }, { epoch, slot: throughSlot });
  }

  private async readPages(
    reading: number,
    kind: 'tokens' | 'pools',
    span: { readonly epoch: number; readonly afterSlot: Slot | null; readonly throughSlot: Slot },
  ): Promise<void> {
    const { changed } = this.options;
    let afterAddress: Address | '' = '';
    while (this.readings === reading && (await this.untilCapacity(reading))) {
      const query: ChangedQuery = { ...span, afterAddress, limit: PAGE };
      const tokens: readonly TokenRecord[] = kind === 'tokens' ? await changed.tokens(query) : [];
      const pools: readonly PoolRecord[] = kind === 'pools' ? await changed.pools(query) : [];
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
        this.onCapacity = resolve;
      });
    }
    return this.readings === reading;
  }
}
