import { Random } from '../../simulator/random/random.ts';
import type { MinuteTape, TapeRow } from '../../src/backtest/recording/minute-tape.ts';
import type { TestedRule, TestedValues } from '../../src/backtest/recording/tested-rule.ts';
import { BACKTEST_DEFAULTS, type BacktestOptions } from '../../src/model/backtest.ts';
import type { Address, Slot, UsdNano } from '../../src/model/units.ts';
import type { PoolDepth } from '../../src/signals/execution/fill.ts';
import { address } from './build-transaction.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
export const TAPE_START_MS = Date.UTC(2026, 0, 5);

/** A market of independent random walks, made without the engine. */
export interface TapePlan {
  readonly seed: string;
  readonly days: number;
  readonly tokens: number;
  /** Between the minutes of a token. */
  readonly everyMinutes: number;
  /**
   * Share of minutes with `omen.seen`, after which the price doubles within ten minutes and halves
   * again after two hours: an edge that a rule can know. 0 for none.
   */
  readonly omenShare: number;
}

const STEP_DEVIATION = 0.05;
const QUOTE_USD = 200_000;

/** Rows and prices of all tokens. */
export function syntheticTape(plan: TapePlan): MinuteTape {
  const rows: TapeRow[] = [];
  const points = new Map<Address, PoolDepth[]>();
  for (let token = 0; token < plan.tokens; token++) {
    const walk = tokenWalk(plan, token);
    points.set(walk.pool, walk.points);
    rows.push(...walk.rows);
  }
  rows.sort((one, other) => one.at.timeMs - other.at.timeMs);
  const endMs = TAPE_START_MS + plan.days * DAY_MS;
  const [first, last] = [rows[0]?.at.slot ?? null, rows.at(-1)?.at.slot ?? null];
  return { rows, points, startMs: TAPE_START_MS, endMs, firstSlot: first, lastSlot: last };
}

function tokenWalk({ seed, days, everyMinutes, omenShare }: TapePlan, token: number) {
  const random = new Random(`${seed}/${token}`);
  const pool = address(`pool ${token}`);
  const mint = address(`mint ${token}`);
  const rows: TapeRow[] = [];
  const points: PoolDepth[] = [];
  let log = 0;
  /** What omens still add to the price, by time. */
  const moves: { readonly atMs: number; readonly by: number }[] = [];
  const count = Math.floor((days * 1_440) / everyMinutes);
  for (let at = 0; at < count; at++) {
    const minuteMs = TAPE_START_MS + at * everyMinutes * MINUTE_MS;
    const isOmen = random.chance(omenShare);
    if (isOmen) {
      moves.push({ atMs: minuteMs + 10 * MINUTE_MS, by: Math.LN2 });
      moves.push({ atMs: minuteMs + 120 * MINUTE_MS, by: -Math.LN2 });
    }
    log += random.normal() * STEP_DEVIATION;
    for (const move of moves.splice(0)) {
      if (move.atMs <= minuteMs) log += move.by;
      else moves.push(move);
    }
    // The mean of a step is 1: a walk without drift.
    log -= STEP_DEVIATION ** 2 / 2;
    const priceUsd = Math.exp(log);
    points.push(depthAt(minuteMs + 30_000, priceUsd));
    const values: TestedValues = { 'omen.seen': isOmen, 'price.usd': priceUsd };
    rows.push({
      at: {
        ...{ mint, pool, minuteMs, slot: (400_000_000 + at * everyMinutes * 150) as Slot },
        timeMs: minuteMs + MINUTE_MS,
      },
      ...{ canSignal: true, cutValues: null },
      values,
      ...{ ageMs: null, marketCapUsd: 500_000_000_000_000n as UsdNano },
      liquidityUsd: (BigInt(2 * QUOTE_USD) * 1_000_000_000n) as UsdNano,
      pointIndex: points.length - 1,
    });
  }
  return { pool, rows, points };
}

function depthAt(timeMs: number, priceUsd: number): PoolDepth {
  const base = QUOTE_USD / priceUsd;
  return {
    ...{ timeMs, priceUsd, base, quoteUsd: QUOTE_USD, realBase: base, realQuoteUsd: QUOTE_USD },
    ...{ feeBps: 30, solUsd: 150 },
  };
}

export function tapeOptions(days: number, given: Partial<BacktestOptions> = {}): BacktestOptions {
  return {
    ...BACKTEST_DEFAULTS,
    fromMs: TAPE_START_MS,
    toMs: TAPE_START_MS + days * DAY_MS,
    ...given,
  };
}

/** A rule over the values of a row. */
export function ruleOf(
  name: string,
  features: readonly string[],
  passes: (values: TestedValues, pool: Address, minuteMs: number) => boolean,
  coolDownMs = 0,
): TestedRule {
  return { id: `${name}@1+0`, features, coolDownMs, begin: () => passes };
}
