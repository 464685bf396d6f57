import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { isNearAmount } from '../readings/matched-trades.ts';
import { readRounds } from '../readings/trade-rounds.ts';
import { isTrader } from '../readings/traders.ts';
import type { Gates } from '../scoring/scoring-card.ts';
import { isMakerByRounds } from './ring-rounds.ts';

/** Thresholds of hand-overs (docs/decisions/0079). */
export const HAND_OVER_GATES = {
  handOverMs: {
    value: 20_000,
    reason: 'Who passes a position on does not leave it to the market for longer.',
  },
  handedShareMin: {
    value: 0.5,
    reason: 'A stranger meets the amount of another one now and then, not in half of its volume.',
  },
  handOversMin: {
    value: 10,
    reason: 'Amounts that meet ten times among the same few wallets are no coincidence.',
  },
} as const satisfies Gates;

/** Wallets that pass a position around. */
export interface HandOverRing {
  readonly wallets: ReadonlySet<Address>;
  /** Number of purchases and sales of two of them that met. */
  readonly handOvers: number;
}

interface HandOver {
  readonly bought: CaseTrade;
  readonly sold: CaseTrade;
}

/**
 * Wallets connected by hand-overs: one buys what another one sells, the same amount within a
 * hundredth and within seconds, for at least half of the volume of each. Market makers are left out:
 * they take the other side of everybody. Trades must be in block order.
 */
export function findHandOverRings(
  mintCase: MintCase,
  trades: readonly CaseTrade[],
): readonly HandOverRing[] {
  if (trades.length < 2 * HAND_OVER_GATES.handOversMin.value) return [];
  let handOvers = meetings(trades.filter(mayHandOver(mintCase)));
  if (handOvers.length < HAND_OVER_GATES.handOversMin.value) return [];
  const byWallet = Map.groupBy(trades, ({ wallet }) => wallet);
  for (let before = -1; before !== handOvers.length; ) {
    before = handOvers.length;
    const known = passingWallets(byWallet, handOvers);
    handOvers = handOvers.filter(
      ({ bought, sold }) => known.has(bought.wallet) && known.has(sold.wallet),
    );
  }
  return ringsOf(handOvers).filter((ring) => ring.handOvers >= HAND_OVER_GATES.handOversMin.value);
}

function mayHandOver(mintCase: MintCase): (trade: CaseTrade) => boolean {
  return (trade) =>
    !trade.isArbitrage &&
    !trade.isRoundTrip &&
    trade.baseRaw > 0n &&
    isTrader(mintCase, trade.wallet);
}

/** A trade that may meet another one; rounded amounts avoid comparisons of large integers. */
interface Waiting {
  readonly trade: CaseTrade;
  readonly amount: number;
}

/** Pairs each trade with the latest one of the other side and of another wallet that it meets. */
function meetings(trades: readonly CaseTrade[]): HandOver[] {
  const found: HandOver[] = [];
  const waiting = { buy: [] as Waiting[], sell: [] as Waiting[] };
  for (const trade of trades) {
    dropOlder(waiting.buy, trade.timeMs);
    dropOlder(waiting.sell, trade.timeMs);
    const now = { trade, amount: Number(trade.baseRaw) };
    const others = waiting[trade.side === 'buy' ? 'sell' : 'buy'];
    const index = others.findLastIndex((other) => meets(other, now));
    const [other] = index === -1 ? [] : others.splice(index, 1);
    if (other === undefined) waiting[trade.side].push(now);
    else {
      const isBuy = trade.side === 'buy';
      found.push({ bought: isBuy ? trade : other.trade, sold: isBuy ? other.trade : trade });
    }
  }
  return found;
}

function meets(one: Waiting, other: Waiting): boolean {
  return isNearAmount(one.amount, other.amount) && one.trade.wallet !== other.trade.wallet;
}

function dropOlder(waiting: Waiting[], timeMs: number): void {
  const fromMs = timeMs - HAND_OVER_GATES.handOverMs.value;
  while ((waiting[0]?.trade.timeMs ?? fromMs) < fromMs) waiting.shift();
}

/** Wallets that handed over enough of their volume and are no makers. */
function passingWallets(
  byWallet: ReadonlyMap<Address, readonly CaseTrade[]>,
  handOvers: readonly HandOver[],
): ReadonlySet<Address> {
  const handed = new Map<Address, bigint>();
  for (const { wallet, lamports } of handOvers.flatMap(({ bought, sold }) => [bought, sold])) {
    handed.set(wallet, (handed.get(wallet) ?? 0n) + lamports);
  }
  const passing = new Set<Address>();
  for (const [wallet, lamports] of handed) {
    const own = byWallet.get(wallet) ?? [];
    const volume = own.reduce((sum, trade) => sum + trade.lamports, 0n);
    const isEnough = Number(lamports) >= Number(volume) * HAND_OVER_GATES.handedShareMin.value;
    if (isEnough && !isMakerByRounds(readRounds(own))) passing.add(wallet);
  }
  return passing;
}

function ringsOf(handOvers: readonly HandOver[]): HandOverRing[] {
  const rings: { wallets: Set<Address>; handOvers: number }[] = [];
  for (const { bought, sold } of handOvers) {
    const touched = rings.filter(
      ({ wallets }) => wallets.has(bought.wallet) || wallets.has(sold.wallet),
    );
    const ring = touched.shift() ?? { wallets: new Set<Address>(), handOvers: 0 };
    if (ring.handOvers === 0) rings.push(ring);
    ring.wallets.add(bought.wallet).add(sold.wallet);
    ring.handOvers++;
    for (const other of touched) {
      for (const wallet of other.wallets) ring.wallets.add(wallet);
      ring.handOvers += other.handOvers;
      rings.splice(rings.indexOf(other), 1);
    }
  }
  return rings;
}
