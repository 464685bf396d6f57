import { HashDraws } from '../../lib/hash-draws.ts';
import {
  type BacktestHit,
  type BacktestOptions,
  ENTRY_DELAYS,
  type EntryDelay,
} from '../../model/backtest.ts';
import { EXIT_RULES, type ExitRule, PERCENT_SCALE, TICKETS_USD } from '../../model/signal.ts';
import { EXIT_TERMS } from '../../signals/execution/exit-rules.ts';
import { buyTokens, sellTokens, type TradeCosts } from '../../signals/execution/fill.ts';
import type { ExecutionRow } from '../../signals/statistics/execution-statistics.ts';
import { type PricePath, type RoundTrip, roundTrip } from './hypothetical-trade.ts';

/** Slots are converted to time at 400 ms each. */
const SLOT_MS = 400;
export const DELAY_MS: Readonly<Record<EntryDelay, number>> = {
  '1_slot': SLOT_MS,
  '2_slots': 2 * SLOT_MS,
  '10_s': 10_000,
  '60_s': 60_000,
};

/** How long the path of a pool has to be known after a hit. */
export const FOLLOWED_MS =
  EXIT_TERMS.hold_24h.holdMs + 2 * Math.max(...ENTRY_DELAYS.map((delay) => DELAY_MS[delay])) + 1;

/** A hit, or a minute drawn for comparison, with what happened afterwards. */
export interface HitWithPath extends Pick<ExecutionRow, 'ageMs' | 'marketCapUsd' | 'liquidityUsd'> {
  readonly hit: BacktestHit;
  /** Begins with the state at the end of the minute; null if that is unknown. */
  readonly path: PricePath | null;
}

export type TradeState = 'traded' | 'failed' | 'open' | 'unpriced';

/** A hit as it was traded with one delay. */
export interface TradedHit {
  readonly of: HitWithPath;
  readonly state: TradeState;
  /** By exit rule; null if the path ends before the exit. Empty unless traded. */
  readonly trips: Readonly<Partial<Record<ExitRule, RoundTrip | null>>>;
  readonly row: ExecutionRow;
}

/** Costs of a trade as the options state them. */
export function costsOf({ terminalFee, networkSol, tipSol }: BacktestOptions): TradeCosts {
  return { terminalFee, networkSol: networkSol + tipSol };
}

/** Return of a ticket, as a share of it. */
export function returnOf({ entry, exit }: RoundTrip, ticketUsd: number, costs: TradeCosts): number {
  return sellTokens(exit, buyTokens(entry, ticketUsd, costs), costs) / ticketUsd - 1;
}

/** Trades a hit with a delay. Nothing of the outcome decides whether it counts. */
export function tradeHit(of: HitWithPath, delay: EntryDelay, options: BacktestOptions): TradedHit {
  const { hit, path } = of;
  const start = path?.points[0];
  if (path === null || start === undefined) return without(of, 'unpriced');
  const delayMs = DELAY_MS[delay];
  const costs = costsOf(options);
  if (isFailed(hit, delay, options)) {
    const lostUsd = costs.networkSol * start.solUsd;
    return { of, state: 'failed', trips: {}, row: rowOf(of, () => (ticket) => -lostUsd / ticket) };
  }
  const trips = Object.fromEntries(
    EXIT_RULES.map((rule) => {
      const exit = EXIT_TERMS[rule];
      return [rule, roundTrip(path, { entryMs: hit.timeMs + delayMs, exitDelayMs: delayMs, exit })];
    }),
  ) as Readonly<Record<ExitRule, RoundTrip | null>>;
  const row = rowOf(of, (rule) => {
    const trip = trips[rule];
    return trip === null ? null : (ticket) => returnOf(trip, ticket, costs);
  });
  return { of, state: trips.hold_24h === null ? 'open' : 'traded', trips, row };
}

function without(of: HitWithPath, state: TradeState): TradedHit {
  return { of, state, trips: {}, row: rowOf(of, () => null) };
}

/** The same hit fails with the same delay in every run. */
function isFailed(
  { pool, slot }: BacktestHit,
  delay: EntryDelay,
  { failedShare }: BacktestOptions,
) {
  return new HashDraws(`failed entry ${pool} ${slot} ${delay}`).unit() < failedShare;
}

type ReturnOfTicket = (ticketUsd: number) => number;

function rowOf(
  { hit, ageMs, marketCapUsd, liquidityUsd }: HitWithPath,
  returnsOf: (rule: ExitRule) => ReturnOfTicket | null,
): ExecutionRow {
  const returns = Object.fromEntries(
    EXIT_RULES.map((rule) => {
      const returnOfTicket = returnsOf(rule);
      if (returnOfTicket === null) return [rule, null];
      return [
        rule,
        TICKETS_USD.map((ticketUsd) => ({
          ticketUsd,
          returnE9: BigInt(Math.round(returnOfTicket(ticketUsd) * 100 * 10 ** PERCENT_SCALE)),
        })),
      ];
    }),
  ) as unknown as ExecutionRow['returns'];
  return { createdAtMs: hit.timeMs, ageMs, marketCapUsd, liquidityUsd, returns };
}
