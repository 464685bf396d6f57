import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { type Address, asUsdNano, type PriceE18 } from '../../model/units.ts';
import { usdOf } from '../market/usd.ts';
import type { ClosedEpisode } from '../smart/episode.ts';
import type { Taken } from './basis.ts';
import { DAY_MS, DueQueue } from './due-queue.ts';
import {
  atMostU64,
  FLAG,
  fitsI64,
  hasFlag,
  I64_MAX,
  POSITION_LAYOUT,
  type PositionRows,
  setFlags,
} from './position-row.ts';

/** The price of a mint and its last trade. */
export interface MintMark {
  /** Price of one whole token; null while unknown. */
  readonly priceUsd: PriceE18 | null;
  readonly decimals: number;
  /** The last trade by any wallet. */
  readonly lastTradeMs: number;
}

export type MarkOf = (mint: Address) => MintMark | null;

/** The fields of a purchase at a known cost that episodes need. */
export interface EpisodeBuy {
  readonly amountRaw: bigint;
  readonly costUsd: bigint;
  readonly timeMs: number;
  readonly isLaunchSlot: boolean;
  readonly isCreator: boolean;
  /** Called if the purchase begins an episode. */
  readonly entryCell: () => number;
}

/** A position is sold when at most a hundredth of its maximum is left. */
const SOLD_SHARE = 100n;
const IDLE_DAYS = 7;
/** A position is ruined when it is worth less than a tenth of its cost. */
const RUINED_SHARE = 10n;

const { fields } = POSITION_LAYOUT;

/**
 * Episodes of wallets in mints (METHODS §2.6). An episode begins with the first purchase and ends
 * when at most a hundredth of the maximum is left, or is closed at its market value after a long
 * time without trades.
 *
 * Sent tokens take their cost out of the episode and received tokens add theirs, so moving tokens
 * between wallets makes neither profit nor loss. The units left at the end of an episode enter the
 * next one: at cost after a sale, at market value after a forced end.
 */
export class Episodes {
  // Empty between slots.
  private closed: ClosedEpisode[] = [];
  private readonly queue: DueQueue;
  private readonly rows: PositionRows;
  private readonly ids: AddressIds<Address>;
  private readonly undo: UndoLog;

  constructor(rows: PositionRows, ids: AddressIds<Address>, undo: UndoLog) {
    this.rows = rows;
    this.ids = ids;
    this.undo = undo;
    this.queue = new DueQueue(rows, undo);
  }

  /** Call after a purchase was added to the row. */
  bought(row: number, buy: EpisodeBuy): void {
    const { rows } = this;
    if (!hasFlag(rows, row, FLAG.episodeOpen)) {
      setFlags(rows, row, FLAG.episodeOpen, FLAG.launchSlotBuy | FLAG.creator);
      rows.setBigint(row, fields.maxHeldRaw, rows.bigint(row, fields.heldRaw));
      rows.setNumber(row, fields.episodeStartMs, buy.timeMs);
      rows.setNumber(row, fields.entryCell, buy.entryCell());
      this.queue.add(row, buy.timeMs + IDLE_DAYS * DAY_MS);
    }
    if (buy.isLaunchSlot) setFlags(rows, row, FLAG.launchSlotBuy);
    if (buy.isCreator) setFlags(rows, row, FLAG.creator);
    this.addCost(row, buy.costUsd);
    this.count(row, fields.episodeBoughtRaw, buy.amountRaw);
  }

  /** Counts bought units of unknown cost, which are not a gift. */
  boughtUnpriced(row: number, amountRaw: bigint): void {
    if (!hasFlag(this.rows, row, FLAG.episodeOpen)) return;
    this.count(row, fields.episodeBoughtRaw, amountRaw);
  }

  /** Counts units received by transfer; `cost` is their share of the sender's cost. */
  received(row: number, amountRaw: bigint, cost: bigint): void {
    this.addCost(row, cost);
    this.count(row, fields.episodeReceivedRaw, amountRaw);
  }

  /** Counts sold units; `proceedsUsd` covers those of known cost. */
  sold(row: number, taken: Taken, proceedsUsd: bigint, timeMs: number): void {
    const { rows } = this;
    if (!hasFlag(rows, row, FLAG.episodeOpen)) {
      this.shrinkOpening(row, taken);
      return;
    }
    const proceeds = rows.bigint(row, fields.episodeProceedsUsd) + proceedsUsd;
    if (fitsI64(proceeds)) rows.setBigint(row, fields.episodeProceedsUsd, proceeds);
    this.endIfSold(row, timeMs);
  }

  /** Counts units that left by transfer, together with their cost. */
  sent(row: number, taken: Taken, timeMs: number): void {
    if (!hasFlag(this.rows, row, FLAG.episodeOpen)) {
      this.shrinkOpening(row, taken);
      return;
    }
    this.addCost(row, -taken.costUsd);
    this.endIfSold(row, timeMs);
  }

  /**
   * Checks open positions that their wallet has not traded for a week, at most `limit` per call,
   * and closes those that are lost: the token has had no trade for a day, or the position is worth
   * less than a tenth of its cost. A position is checked on the day after its week, then once a
   * day. It is not closed while its market value is unknown.
   */
  closeStale(nowMs: number, markOf: MarkOf, limit: number): void {
    for (let checked = 0; checked < limit; checked++) {
      const row = this.queue.take(nowMs);
      if (row === -1) return;
      if (!hasFlag(this.rows, row, FLAG.episodeOpen)) continue;
      const lastMs = this.rows.number(row, fields.lastTradeMs);
      const idleSinceMs = lastMs === 0 ? nowMs : lastMs;
      const staleMs = idleSinceMs + IDLE_DAYS * DAY_MS;
      if (staleMs > nowMs) this.queue.add(row, staleMs);
      else if (!this.closeIfLost(row, nowMs, markOf)) this.queue.add(row, nowMs + 1);
    }
  }

  /** Removes and returns the episodes that ended since the last call, in the order they ended. */
  takeClosed(): ClosedEpisode[] {
    const { closed } = this;
    if (closed.length === 0) return [];
    this.undo.keep(this);
    this.closed = [];
    return closed;
  }

  private closeIfLost(row: number, nowMs: number, markOf: MarkOf): boolean {
    const { rows } = this;
    const mark = markOf(this.ids.addressOf(rows.number(row, fields.mint)));
    if (mark === null || mark.priceUsd === null) return false;
    const worth = usdOf(rows.bigint(row, fields.heldRaw), mark.decimals, mark.priceUsd);
    const isDead = nowMs - mark.lastTradeMs >= DAY_MS;
    const isRuined = worth * RUINED_SHARE < rows.bigint(row, fields.costUsd);
    if ((!isDead && !isRuined) || !fitsI64(worth)) return false;
    this.end(row, rows.bigint(row, fields.episodeCostUsd), worth, nowMs, true);
    rows.setBigint(row, fields.episodeCostUsd, worth);
    return true;
  }

  private endIfSold(row: number, timeMs: number): void {
    const { rows } = this;
    const held = rows.bigint(row, fields.heldRaw);
    if (held * SOLD_SHARE > rows.bigint(row, fields.maxHeldRaw)) return;
    const left = rows.bigint(row, fields.costUsd);
    this.end(row, rows.bigint(row, fields.episodeCostUsd) - left, 0n, timeMs, false);
    rows.setBigint(row, fields.episodeCostUsd, left);
  }

  private end(
    row: number,
    costUsd: bigint,
    markUsd: bigint,
    closedMs: number,
    isForced: boolean,
  ): void {
    const { rows, ids } = this;
    // Otherwise everything was sent away: there is neither profit nor loss.
    if (costUsd > 0n) {
      this.undo.push(this.closed);
      this.closed.push({
        wallet: ids.addressOf(rows.number(row, fields.wallet)),
        mint: ids.addressOf(rows.number(row, fields.mint)),
        costUsd: asUsdNano(costUsd),
        proceedsUsd: asUsdNano(rows.bigint(row, fields.episodeProceedsUsd)),
        markUsd: asUsdNano(markUsd),
        boughtRaw: rows.bigint(row, fields.episodeBoughtRaw),
        transferredRaw: rows.bigint(row, fields.episodeReceivedRaw),
        startMs: rows.number(row, fields.episodeStartMs),
        entryCell: rows.number(row, fields.entryCell),
        closedMs,
        isForced,
        isLaunchSlotBuy: hasFlag(rows, row, FLAG.launchSlotBuy),
        isCreator: hasFlag(rows, row, FLAG.creator),
      });
    }
    setFlags(rows, row, 0, FLAG.episodeOpen | FLAG.launchSlotBuy | FLAG.creator);
    for (const field of [fields.episodeBoughtRaw, fields.episodeReceivedRaw]) {
      rows.setBigint(row, field, 0n);
    }
    rows.setBigint(row, fields.episodeProceedsUsd, 0n);
  }

  /** Between episodes: removes the share of the next episode's opening cost that left. */
  private shrinkOpening(row: number, { knownRaw, heldBeforeRaw }: Taken): void {
    if (knownRaw === 0n) return;
    const opening = this.rows.bigint(row, fields.episodeCostUsd);
    const share = knownRaw === heldBeforeRaw ? opening : (opening * knownRaw) / heldBeforeRaw;
    this.addCost(row, -share);
  }

  private addCost(row: number, cost: bigint): void {
    if (cost === 0n) return;
    const sum = this.rows.bigint(row, fields.episodeCostUsd) + cost;
    const bounded = sum < 0n ? 0n : sum;
    this.rows.setBigint(row, fields.episodeCostUsd, bounded > I64_MAX ? I64_MAX : bounded);
  }

  private count(row: number, field: EpisodeCount, amountRaw: bigint): void {
    this.rows.setBigint(row, field, atMostU64(this.rows.bigint(row, field) + amountRaw));
  }
}

type EpisodeCount = typeof fields.episodeBoughtRaw;
