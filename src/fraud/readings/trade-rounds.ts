import type { CaseTrade } from '../../model/mint-case.ts';

/** A trade that closed earlier trades of the other side of one owner, in whole or in part. */
export interface TradeRound {
  /** Lamports paid for the tokens of the round. */
  readonly paid: bigint;
  /** Lamports received for the same tokens. */
  readonly got: bigint;
}

interface Lot {
  readonly side: CaseTrade['side'];
  baseRaw: bigint;
  lamports: bigint;
}

/**
 * The rounds of one owner, in the order in which they closed: each trade closes the oldest open
 * trades of the other side, and what it closes is one round. Who sells from stock and buys back
 * makes rounds as well. `trades` must be in block order.
 */
export function readRounds(trades: readonly CaseTrade[]): readonly TradeRound[] {
  const lots = new OpenLots();
  return trades.flatMap(({ side, baseRaw, lamports }) => {
    const round = lots.trade({ side, baseRaw, lamports });
    return round === null ? [] : [round];
  });
}

/** Trades that are not closed yet, all of one side. */
class OpenLots {
  private readonly open: Lot[] = [];
  /** Lots before this index are closed. */
  private start = 0;

  /** Closes lots of the other side and keeps the rest as a lot; null if it closed none. */
  trade(lot: Lot): TradeRound | null {
    const { side } = lot;
    let [opened, closed] = [0n, 0n];
    for (let other = this.open[this.start]; other !== undefined; other = this.open[this.start]) {
      if (other.side === side || lot.baseRaw === 0n) break;
      const isPart = other.baseRaw < lot.baseRaw;
      const { baseRaw } = isPart ? other : lot;
      opened += takeFrom(other, baseRaw);
      closed += takeFrom(lot, baseRaw);
      if (other.baseRaw === 0n) this.start++;
    }
    if (lot.baseRaw > 0n) this.open.push(lot);
    if (opened === 0n && closed === 0n) return null;
    return side === 'sell' ? { paid: opened, got: closed } : { paid: closed, got: opened };
  }
}

/** Removes tokens from a lot and returns the lamports that belong to them. */
function takeFrom(lot: Lot, baseRaw: bigint): bigint {
  const lamports = baseRaw === lot.baseRaw ? lot.lamports : (lot.lamports * baseRaw) / lot.baseRaw;
  lot.baseRaw -= baseRaw;
  lot.lamports -= lamports;
  return lamports;
}

/** What a round brought as a part of its volume: -0.01 if a hundredth of both sides was lost. */
export function resultOf({ paid, got }: TradeRound): number {
  const volume = paid + got;
  return volume === 0n ? 0 : Number(got - paid) / Number(volume);
}
