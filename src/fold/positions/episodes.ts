import type { AddressIds } from '../../lib/address-ids.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Address, PriceE18, UsdNano } from '../../model/units.ts';
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

/** What a mint is worth and whether it still trades. */
export interface MintMark {
  /** Of one whole token; null while unknown. */
  readonly priceUsd: PriceE18 | null;
  readonly decimals: number;
  /** The last trade of anybody. */
  readonly lastTradeMs: number;
}

export type MarkOf = (mint: Address) => MintMark | null;

/** A purchase at a known cost, as far as episodes need to know it. */
export interface EpisodeBuy {
  readonly amountRaw: bigint;
  readonly costUsd: bigint;
  readonly timeMs: number;
  readonly isLaunchSlot: boolean;
  readonly isCreator: boolean;
}

/** Sold, all but a hundredth of the most it was. */
const SOLD_SHARE = 100n;
const IDLE_DAYS = 7;
/** Worth less than a tenth of its cost. */
const RUINED_SHARE = 10n;

const { fields } = POSITION_LAYOUT;

/**
 * The lives of wallets in mints (METHODS §2.6): each from a first purchase until all but a hundredth
 * of it is sold, or until nothing has happened for long and it is closed at its worth.
 *
 * Tokens that are sent away take their cost out of the episode, those that come in bring theirs: so
 * moving tokens between wallets makes neither a loss nor a gain. What is left when an episode ends
 * enters the next one: at its cost after a sale, at its worth after a forced end.
 */
export class Episodes {
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

  /** A purchase was added to the row. */
  bought(row: number, buy: EpisodeBuy): void {
    const { rows } = this;
    if (!hasFlag(rows, row, FLAG.episodeOpen)) {
      setFlags(rows, row, FLAG.episodeOpen, FLAG.launchSlotBuy | FLAG.creator);
      rows.setBigint(row, fields.maxHeldRaw, rows.bigint(row, fields.heldRaw));
      rows.setNumber(row, fields.episodeStartMs, buy.timeMs);
      this.queue.add(row, buy.timeMs + IDLE_DAYS * DAY_MS);
    }
    if (buy.isLaunchSlot) setFlags(rows, row, FLAG.launchSlotBuy);
    if (buy.isCreator) setFlags(rows, row, FLAG.creator);
    this.addCost(row, buy.costUsd);
    this.count(row, fields.episodeBoughtRaw, buy.amountRaw);
  }

  /** Units of unknown cost were bought: they are no gift. */
  boughtUnpriced(row: number, amountRaw: bigint): void {
    if (!hasFlag(this.rows, row, FLAG.episodeOpen)) return;
    this.count(row, fields.episodeBoughtRaw, amountRaw);
  }

  /** Units came by transfer, with `cost` as part of what they had cost their sender. */
  received(row: number, amountRaw: bigint, cost: bigint): void {
    this.addCost(row, cost);
    this.count(row, fields.episodeReceivedRaw, amountRaw);
  }

  /** Units were sold; `proceedsUsd` is for those of known cost. */
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

  /** Units left otherwise, and their cost with them. */
  sent(row: number, taken: Taken, timeMs: number): void {
    if (!hasFlag(this.rows, row, FLAG.episodeOpen)) {
      this.shrinkOpening(row, taken);
      return;
    }
    this.addCost(row, -taken.costUsd);
    this.endIfSold(row, timeMs);
  }

  /**
   * Looks again at open positions that were not traded by their wallet for a week, at most `most` of
   * them at a time, and closes those that are lost: of tokens that nobody traded for a day, or that
   * are worth less than a tenth of their cost. Each is looked at on the day after its week, then
   * once a day. A worth that is unknown closes nothing.
   */
  closeStale(nowMs: number, markOf: MarkOf, most: number): void {
    for (let looked = 0; looked < most; looked++) {
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

  /** The episodes that ended since the last call, in the order of their ends. */
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
    // All of it was sent away: nothing was won or lost.
    if (costUsd > 0n) {
      this.undo.push(this.closed);
      this.closed.push({
        wallet: ids.addressOf(rows.number(row, fields.wallet)),
        mint: ids.addressOf(rows.number(row, fields.mint)),
        costUsd: costUsd as UsdNano,
        proceedsUsd: rows.bigint(row, fields.episodeProceedsUsd) as UsdNano,
        markUsd: markUsd as UsdNano,
        boughtRaw: rows.bigint(row, fields.episodeBoughtRaw),
        transferredRaw: rows.bigint(row, fields.episodeReceivedRaw),
        startMs: rows.number(row, fields.episodeStartMs),
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

  /** Between episodes: what left takes its share of what the rest will enter the next one with. */
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
