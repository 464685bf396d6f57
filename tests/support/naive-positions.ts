import type { PositionView } from '../../src/fold/indicators/position-view.ts';
import type { Address, RawAmount, UsdNano } from '../../src/model/units.ts';

/**
 * The position ledger of METHODS §0.6 and the episodes of §2.6, event by event on plain objects.
 * Times are stored as milliseconds times `TIME_SCALE`, so that means lose no visible digits.
 */
export interface NaivePosition {
  readonly mint: Address;
  readonly wallet: Address;
  held: bigint;
  unknown: bigint;
  cost: bigint;
  realised: bigint;
  gross: bigint;
  acquired: bigint;
  closedHold: bigint;
  closedRaw: bigint;
  most: bigint;
  buys: number;
  sells: number;
  firstBuyMs: number | null;
  lastTradeMs: number | null;
  hasKnownBuy: boolean;
  isOpen: boolean;
  startMs: number;
  entryCell: number;
  /** Cost of the open episode; between episodes the cost of the remainder for the next one. */
  episodeCost: bigint;
  episodeProceeds: bigint;
  episodeBought: bigint;
  episodeReceived: bigint;
  isLaunchSlot: boolean;
  isInsider: boolean;
  /** First day on which a check is due, null when none is. */
  dueDay: number | null;
}

export interface NaiveEpisode {
  readonly mint: Address;
  readonly wallet: Address;
  readonly costUsd: bigint;
  readonly backUsd: bigint;
  readonly startMs: number;
  readonly entryCell: number;
  readonly closedMs: number;
  readonly isForced: boolean;
  readonly isCounted: boolean;
}

export interface NaiveChange {
  readonly mint: Address;
  readonly wallet: Address;
  readonly amountRaw: bigint;
  readonly valueUsd: bigint | null;
  readonly timeMs: number;
  readonly isLaunchSlot: boolean;
  readonly isInsider: boolean;
  /** Eight times the class of the token's age, plus that of its market cap. */
  readonly entryCell: number;
}

export interface NaiveTransfer {
  readonly mint: Address;
  readonly from: Address | null;
  readonly to: Address | null;
  readonly sentRaw: bigint;
  readonly receivedRaw: bigint;
  readonly timeMs: number;
}

/** Price of a mint and its last trade; null price is unknown. */
export interface NaiveMark {
  readonly priceUsd: bigint | null;
  readonly decimals: number;
  readonly lastTradeMs: number;
}

export const TIME_SCALE = 10n ** 30n;
const DAY_MS = 86_400_000;
const CENT_20 = 20_000_000_000n;

export class NaiveLedger {
  /** In order of their start. */
  readonly positions: NaivePosition[] = [];
  readonly episodes: NaiveEpisode[] = [];
  private readonly byKey = new Map<string, NaivePosition>();

  find(mint: Address, wallet: Address): NaivePosition | null {
    return this.byKey.get(`${mint} ${wallet}`) ?? null;
  }

  buy(change: NaiveChange): void {
    const { amountRaw, valueUsd, timeMs } = change;
    if (amountRaw <= 0n) return;
    const position = this.open(change.mint, change.wallet);
    if (valueUsd !== null && valueUsd > 0n) {
      addKnown(position, amountRaw, valueUsd, BigInt(timeMs) * TIME_SCALE);
      position.gross += valueUsd;
      position.hasKnownBuy = true;
      if (!position.isOpen) {
        position.isOpen = true;
        position.isLaunchSlot = false;
        position.isInsider = false;
        position.most = position.held;
        position.startMs = timeMs;
        position.entryCell = change.entryCell;
        position.dueDay ??= dayAfter(timeMs + 7 * DAY_MS);
      }
      position.isLaunchSlot ||= change.isLaunchSlot;
      position.isInsider ||= change.isInsider;
      position.episodeCost += valueUsd;
      position.episodeBought += amountRaw;
    } else {
      position.unknown += amountRaw;
      if (position.isOpen) position.episodeBought += amountRaw;
    }
    position.firstBuyMs ??= timeMs;
    position.lastTradeMs = timeMs;
    position.buys++;
  }

  sell({ mint, wallet, amountRaw, valueUsd, timeMs }: NaiveChange): void {
    if (amountRaw <= 0n) return;
    const position = this.open(mint, wallet);
    const acquired = position.acquired;
    const heldBefore = position.held;
    const { known, cost } = takeOut(position, amountRaw);
    if (known > 0n) {
      const proceeds = valueUsd === null ? cost : (valueUsd * known) / amountRaw;
      position.realised += proceeds - cost;
      position.closedHold += known * (BigInt(timeMs) * TIME_SCALE - acquired);
      position.closedRaw += known;
      if (position.isOpen) {
        position.episodeProceeds += proceeds;
        this.endIfSold(position, timeMs);
      } else shrink(position, known, heldBefore);
    }
    position.lastTradeMs = timeMs;
    position.sells++;
  }

  transfer({ mint, from, to, sentRaw, receivedRaw, timeMs }: NaiveTransfer): void {
    const source = from === null ? null : this.find(mint, from);
    if (from !== null && from === to) {
      if (source !== null && sentRaw > receivedRaw)
        this.withhold(source, sentRaw - receivedRaw, timeMs);
      return;
    }
    if (source === null || sentRaw <= 0n) {
      if (to !== null && receivedRaw > 0n) receive(this.open(mint, to), receivedRaw);
      return;
    }
    const { acquired, held } = source;
    const { known, cost } = takeOut(source, sentRaw);
    this.sent(source, { known, cost, held, timeMs });
    if (to === null || receivedRaw <= 0n) return;
    const target = this.open(mint, to);
    if (cost === 0n) {
      receive(target, receivedRaw);
      return;
    }
    const arrived = (receivedRaw * known + sentRaw - 1n) / sentRaw;
    addKnown(target, arrived, cost, acquired);
    target.unknown += receivedRaw - arrived;
    target.episodeCost += cost;
    target.episodeReceived += receivedRaw;
  }

  /** Checks open episodes that are due. */
  closeStale(nowMs: number, markOf: (mint: Address) => NaiveMark | null): void {
    const due = this.positions.filter(({ dueDay }) => dueDay !== null && dueDay * DAY_MS <= nowMs);
    for (const position of due) {
      position.dueDay = null;
      if (!position.isOpen) continue;
      const staleMs = (position.lastTradeMs ?? nowMs) + 7 * DAY_MS;
      if (staleMs > nowMs) position.dueDay = dayAfter(staleMs);
      else if (!this.closeIfLost(position, nowMs, markOf(position.mint))) {
        position.dueDay = dayAfter(nowMs + 1);
      }
    }
  }

  private closeIfLost(position: NaivePosition, nowMs: number, mark: NaiveMark | null): boolean {
    if (mark === null || mark.priceUsd === null) return false;
    // Rounded half up, as all published dollar amounts.
    const unit = 10n ** BigInt(mark.decimals + 9);
    const worth = (position.held * mark.priceUsd * 2n + unit) / (2n * unit);
    const isDead = nowMs - mark.lastTradeMs >= DAY_MS;
    if (!isDead && worth * 10n >= position.cost) return false;
    this.end(position, { cost: position.episodeCost, mark: worth, timeMs: nowMs, isForced: true });
    position.episodeCost = worth;
    return true;
  }

  private withhold(position: NaivePosition, feeRaw: bigint, timeMs: number): void {
    const { cost, held } = position;
    const taken = takeOut(position, feeRaw);
    if (position.held > 0n) position.cost = cost;
    const isAll = position.held === 0n;
    this.sent(position, isAll ? { ...taken, held, timeMs } : { known: 0n, cost: 0n, held, timeMs });
  }

  private sent(
    position: NaivePosition,
    { known, cost, held, timeMs }: { known: bigint; cost: bigint; held: bigint; timeMs: number },
  ): void {
    if (!position.isOpen) shrink(position, known, held);
    else {
      position.episodeCost = cost > position.episodeCost ? 0n : position.episodeCost - cost;
      this.endIfSold(position, timeMs);
    }
  }

  /** At most a hundredth of the maximum is left. */
  private endIfSold(position: NaivePosition, timeMs: number): void {
    if (position.held * 100n > position.most) return;
    const cost = position.episodeCost - position.cost;
    this.end(position, { cost, mark: 0n, timeMs, isForced: false });
    position.episodeCost = position.cost;
  }

  private end(
    position: NaivePosition,
    end: { cost: bigint; mark: bigint; timeMs: number; isForced: boolean },
  ): void {
    const { episodeBought, episodeReceived, isInsider, isLaunchSlot } = position;
    const isGift = episodeReceived * 5n > episodeBought + episodeReceived;
    if (end.cost > 0n) {
      this.episodes.push({
        mint: position.mint,
        wallet: position.wallet,
        costUsd: end.cost,
        backUsd: position.episodeProceeds + end.mark,
        startMs: position.startMs,
        entryCell: position.entryCell,
        closedMs: end.timeMs,
        isForced: end.isForced,
        isCounted: !isInsider && !isLaunchSlot && !isGift && end.cost >= CENT_20,
      });
    }
    position.isOpen = false;
    position.episodeProceeds = 0n;
    position.episodeBought = 0n;
    position.episodeReceived = 0n;
  }

  private open(mint: Address, wallet: Address): NaivePosition {
    const known = this.find(mint, wallet);
    if (known !== null) return known;
    const amounts = { held: 0n, unknown: 0n, cost: 0n, realised: 0n, gross: 0n, most: 0n };
    const times = { acquired: 0n, closedHold: 0n, closedRaw: 0n, startMs: 0, entryCell: 0 };
    const episode = {
      ...{ episodeCost: 0n, episodeProceeds: 0n, episodeBought: 0n, episodeReceived: 0n },
      ...{ isOpen: false, isLaunchSlot: false, isInsider: false, dueDay: null },
    };
    const trades = { buys: 0, sells: 0, firstBuyMs: null, lastTradeMs: null, hasKnownBuy: false };
    const position = { mint, wallet, ...amounts, ...times, ...episode, ...trades };
    this.positions.push(position);
    this.byKey.set(`${mint} ${wallet}`, position);
    return position;
  }
}

/** The view for the figures of a pool; seconds from `originMs` on. */
export function viewOf(position: NaivePosition, originMs: number): PositionView {
  const origin = BigInt(originMs) * TIME_SCALE;
  return {
    hasKnownBuy: position.hasKnownBuy,
    isOpen: position.held > 0n && position.held * 10n ** 9n >= position.most,
    heldRaw: position.held as RawAmount,
    costUsd: position.cost as UsdNano,
    realisedUsd: position.realised as UsdNano,
    grossCostUsd: position.gross as UsdNano,
    acquiredS: toSeconds(position.acquired - origin),
    closedHold: toSeconds(position.closedHold),
    closedRaw: Number(position.closedRaw),
  };
}

function toSeconds(time: bigint): number {
  return Number((time * 1_000n) / TIME_SCALE) / 1_000_000;
}

function addKnown(position: NaivePosition, amountRaw: bigint, cost: bigint, at: bigint): void {
  const held = position.held + amountRaw;
  position.acquired = (position.acquired * position.held + at * amountRaw) / held;
  position.held = held;
  position.cost += cost;
  if (held > position.most) position.most = held;
}

function takeOut(position: NaivePosition, amountRaw: bigint): { known: bigint; cost: bigint } {
  const known = amountRaw < position.held ? amountRaw : position.held;
  const cost = known === 0n ? 0n : (position.cost * known) / position.held;
  position.held -= known;
  position.cost -= cost;
  const rest = amountRaw - known;
  position.unknown = rest < position.unknown ? position.unknown - rest : 0n;
  return { known, cost };
}

function shrink(position: NaivePosition, known: bigint, held: bigint): void {
  if (known > 0n) position.episodeCost -= (position.episodeCost * known) / held;
}

function receive(position: NaivePosition, amountRaw: bigint): void {
  position.unknown += amountRaw;
  position.episodeReceived += amountRaw;
}

function dayAfter(timeMs: number): number {
  return Math.ceil(timeMs / DAY_MS);
}
