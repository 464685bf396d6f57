import { SCORE_TERMS, type ScoreTermName } from '../../src/fold/wallets/bot-scorecard.ts';
import { mintBit } from '../../src/fold/wallets/features/trade-windows.ts';
import type { Address, Slot } from '../../src/model/units.ts';

/** One transaction of a wallet that traded in it. */
export interface NaiveTrade {
  readonly slot: number;
  readonly timeMs: number;
  readonly mint: Address;
  readonly side: 'buy' | 'sell';
  readonly lamports: bigint | null;
  readonly isRoundTrip: boolean;
  readonly isFirstBuy: boolean;
  readonly isSnipe: boolean;
  readonly isTerminal: boolean;
  /** Outer programs that are not known as shared. */
  readonly programs: readonly Address[];
}

/** All observations of a wallet, as lists. */
export interface NaiveProfile {
  readonly trades: NaiveTrade[];
  readonly heldS: number[];
  readonly legsMs: number[];
  failures: number;
  didOther: boolean;
  isBot: boolean;
  since: { slot: number; timeS: number };
  ruleS: number | null;
  rule: string | null;
  tradesAtFlip: number | null;
}

/** A program is private while at most twenty wallets have traded through it. */
export type IsPrivate = (program: Address) => boolean;

const DAY_S = 86_400;
const HOUR_S = 3_600;

export function newProfile(slot: Slot, timeMs: number): NaiveProfile {
  return {
    ...{ trades: [], heldS: [], legsMs: [], failures: 0, didOther: false, isBot: false },
    since: { slot, timeS: Math.floor(timeMs / 1_000) },
    ...{ ruleS: null, rule: null, tradesAtFlip: null },
  };
}

/** Whether the class changed; to be called at the end of a slot with events of the wallet. */
export function updateNaiveClass(profile: NaiveProfile, isPrivate: IsPrivate): boolean {
  const last = profile.trades.at(-1);
  if (last === undefined) return false;
  const nowS = secondOf(last);
  const rule = hardRuleOf(profile);
  if (rule !== null) {
    profile.rule = rule;
    profile.ruleS = nowS;
  }
  if (profile.trades.length < (profile.tradesAtFlip ?? -5) + 5) return false;
  const logit = logitOf(profile, isPrivate);
  const isRemembered = profile.ruleS !== null && nowS - profile.ruleS < 7 * DAY_S;
  // 0.3 as a logit.
  const stays = isRemembered || logit >= Math.log(3 / 7);
  const becomes = profile.isBot ? stays : rule !== null || logit >= 0;
  if (becomes === profile.isBot) return false;
  profile.isBot = becomes;
  if (!becomes) profile.rule = null;
  profile.since = { slot: last.slot, timeS: nowS };
  profile.tradesAtFlip = profile.trades.length;
  return true;
}

/** The published score and rule. */
export function verdictOf(profile: NaiveProfile, isPrivate: IsPrivate) {
  const rule = hardRuleOf(profile);
  const score = rule === null ? 1 / (1 + Math.exp(-logitOf(profile, isPrivate))) : 0.99;
  return { score, rule: rule ?? (profile.isBot ? profile.rule : null) };
}

/** The first of H1 to H5 that holds. */
function hardRuleOf({ trades, legsMs }: NaiveProfile): string | null {
  const last = trades.at(-1);
  if (last === undefined) return null;
  const nowS = secondOf(last);
  const isRecent = (timeS: number) => nowS - timeS < DAY_S;
  const trips = trades.filter((trade) => trade.isRoundTrip && isRecent(secondOf(trade)));
  if (trips.length >= 2) return 'same_transaction_round_trips';
  const lastLegS = Math.floor(Math.max(...legsMs, Number.NEGATIVE_INFINITY) / 1_000);
  if (legsMs.length >= 2 && isRecent(lastLegS)) return 'sandwich_pairs';
  const alone = trades.filter((trade) => !trade.isRoundTrip && isRecent(secondOf(trade)));
  let pairs = 0;
  for (const group of Map.groupBy(alone, ({ slot, mint }) => `${slot} ${mint}`).values()) {
    const buys = group.filter(({ side }) => side === 'buy').length;
    pairs += Math.min(buys, group.length - buys);
  }
  if (pairs >= 5) return 'same_slot_pairs';
  if (inWindow(trades, nowS, HOUR_S, 24) >= 500) return 'swap_rate';
  if (inWindow(trades, nowS, 20, 30) >= 60) return 'swap_rate';
  const day = Math.floor(nowS / DAY_S);
  const isBusy = (one: number) => {
    const onDay = trades.filter((trade) => Math.floor(secondOf(trade) / DAY_S) === one);
    const hours = new Set(onDay.map((trade) => Math.floor(secondOf(trade) / HOUR_S)));
    return onDay.length >= 50 && hours.size >= 23;
  };
  return isBusy(day) && isBusy(day - 1) ? 'no_sleep' : null;
}

/** S1 to S11, from the lists. */
function logitOf(profile: NaiveProfile, isPrivate: IsPrivate): number {
  const { trades, heldS, failures } = profile;
  const nowS = secondOf(trades.at(-1) ?? { timeMs: 0 });
  const gaps = trades.slice(1).map((trade, at) => gapMs(trades[at] ?? trade, trade));
  const firstBuys = trades.filter(({ isFirstBuy }) => isFirstBuy);
  const snipes = firstBuys.filter(({ isSnipe }) => isSnipe);
  const privately = trades.filter(({ programs }) => programs.some(isPrivate));
  const terminal = trades.filter(({ isTerminal }) => isTerminal);
  const attempts = failures + trades.length;
  const firstS = secondOf(trades[0] ?? { timeMs: 0 });
  const isOld = profile.didOther && nowS - firstS >= 30 * DAY_S;
  const isByTerminal = terminal.length * 2 >= trades.length && trades.length > 0;
  const values: Record<ScoreTermName, number | null> = {
    short_holds: share(heldS.filter((held) => held < 16).length, heldS.length, 5),
    fast_gaps: share(gaps.filter((gap) => gap <= 1_000).length, gaps.length, 10),
    regular_gaps: gaps.length < 20 ? null : 1 - deviationOf(gaps),
    uniform_size: modalShare(trades),
    launch_snipes: share(snipes.length, firstBuys.length, 5),
    many_mints: mintsPerDay(trades, nowS),
    private_program: share(privately.length, trades.length, 1),
    failed_transactions: share(failures, attempts, 20),
    many_swaps: inWindow(trades, nowS, HOUR_S, 24),
    trading_terminal: Number(isByTerminal),
    old_wallet: Number(isOld),
  };
  // METHODS §13.1: saturated over 30 observations, each of these suffices.
  const habits = new Map<ScoreTermName, number>([
    ['short_holds', heldS.length],
    ['fast_gaps', gaps.length],
    ['regular_gaps', gaps.length],
  ]);
  // The weights are fitted values, so they are not recalculated here.
  return SCORE_TERMS.reduce((sum, { name, weight, from, to }) => {
    const x = ramp(values[name], from, to);
    const suffices = x === 1 && (habits.get(name) ?? 0) >= 30;
    return sum + (suffices ? 2.1 : weight) * x;
  }, -2);
}

/** From the five sizes of the Misra-Gries summary (decision 0016), exact for up to five sizes. */
function modalShare(trades: readonly NaiveTrade[]): number | null {
  const sizes = trades.flatMap(({ side, lamports }) =>
    side === 'buy' && lamports !== null && lamports > 0n
      ? Number(Number(lamports).toPrecision(3))
      : [],
  );
  let kept: (readonly [size: number, count: number])[] = [];
  for (const size of sizes) {
    const isKept = kept.some(([other]) => other === size);
    if (isKept) kept = kept.map(([other, count]) => [other, other === size ? count + 1 : count]);
    else if (kept.length < 5) kept = [...kept, [size, 1]];
    else kept = kept.map(([other, count]) => [other, count - 1] as const).filter(([, n]) => n > 0);
  }
  kept.sort(([size, count], [otherSize, other]) => other - count || size - otherSize);
  const [size, count] = kept[0] ?? [0, 0];
  const isRound = String(BigInt(size)).replace(/0+$/, '').length <= 2;
  return isRound ? null : share(count, sizes.length, 10);
}

/** By linear counting on 128 bits (decision 0016), which is nearly exact for small numbers. */
function mintsPerDay(trades: readonly NaiveTrade[], nowS: number): number {
  const today = Math.floor(nowS / DAY_S);
  const onDay = (day: number) => {
    const ofDay = trades.filter((trade) => Math.floor(secondOf(trade) / DAY_S) === day);
    const bits = new Set(ofDay.map(({ mint }) => mintBit(mint)));
    return Math.round(-128 * Math.log(Math.max(1, 128 - bits.size) / 128));
  };
  return Math.max(onDay(today), onDay(today - 1));
}

/** Trades in the present time bucket and the ones before it. */
function inWindow(
  trades: readonly NaiveTrade[],
  nowS: number,
  partS: number,
  parts: number,
): number {
  const first = Math.floor(nowS / partS) - parts + 1;
  return trades.filter((trade) => Math.floor(secondOf(trade) / partS) >= first).length;
}

function gapMs(one: NaiveTrade, other: NaiveTrade): number {
  const timeMs = (secondOf(other) - secondOf(one)) * 1_000;
  return timeMs <= 2_000 ? (other.slot - one.slot) * 400 : timeMs;
}

function deviationOf(gaps: readonly number[]): number {
  const logs = gaps.map((gap) => Math.log(Math.max(gap, 400) / 1_000));
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length;
  const squares = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return Math.sqrt(squares / (logs.length - 1));
}

function share(part: number, whole: number, least: number): number | null {
  return whole < least ? null : part / whole;
}

function ramp(value: number | null, from: number, to: number): number {
  return value === null ? 0 : Math.min(1, Math.max(0, (value - from) / (to - from)));
}

function secondOf({ timeMs }: { readonly timeMs: number }): number {
  return Math.floor(timeMs / 1_000);
}
