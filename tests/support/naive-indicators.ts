import type { PoolTrade } from '../../src/fold/indicators/pool-trade.ts';
import type { PositionView } from '../../src/fold/indicators/position-view.ts';
import type { SmartTrade } from '../../src/fold/indicators/smart-flow.ts';
import type { SmartHolding } from '../../src/fold/indicators/smart-holders.ts';
import type { Address } from '../../src/model/units.ts';

/** One event for the books of a pool's indicators. */
export type IndicatorStep =
  | { readonly kind: 'trade'; readonly wallet: Address; readonly trade: PoolTrade }
  | { readonly kind: 'position'; readonly wallet: Address; readonly position: PositionView }
  | { readonly kind: 'class'; readonly wallet: Address; readonly isBot: boolean }
  | { readonly kind: 'sandwich'; readonly wallet: Address }
  | { readonly kind: 'smartTrade'; readonly trade: SmartTrade }
  | { readonly kind: 'smart'; readonly wallet: Address; readonly holding: SmartHolding | null };

/** The unrounded figures of a pool, recomputed from the list of all events. */
export interface NaiveIndicators {
  readonly wallets: number;
  readonly organic: number;
  readonly totalUsd: bigint;
  readonly organicUsd: bigint;
  /** Null when the price is unknown and some wallet's result depends on it. */
  readonly profitable: { readonly organic: number; readonly volumeUsd: bigint } | null;
  readonly meanHoldS: number | null;
  readonly meanFrequencyS: number | null;
  readonly flows: Readonly<
    Record<'influx' | 'outflux', { readonly raw: bigint; readonly weighted: number }>
  >;
  readonly smartHolders: number;
  readonly rawScore: number;
}

export interface NaiveMoment {
  readonly nowMs: number;
  readonly originMs: number;
  readonly priceUsd: bigint | null;
  readonly baseDecimals: number;
}

/** The definitions of METHODS §2.2 taken literally, wallet by wallet and trade by trade. */
export function naiveIndicators(
  steps: readonly IndicatorStep[],
  moment: NaiveMoment,
): NaiveIndicators {
  const trades = steps.filter((step) => step.kind === 'trade');
  const own = trades.filter(({ trade }) => !trade.isHop);
  const everybody = [...new Set(own.map(({ wallet }) => wallet))].map((wallet) =>
    naiveWallet(steps, wallet, moment),
  );
  const organic = everybody.filter((wallet) => wallet.isOrganic);
  const winners = everybody.filter(({ isAhead }) => isAhead === true);
  const isUndecided = everybody.some(({ isAhead }) => isAhead === 'depends');
  return {
    wallets: everybody.length,
    organic: organic.length,
    totalUsd: sum(trades.map(({ trade }) => trade.volumeUsd ?? 0n)),
    organicUsd: sum(organic.map(({ volumeUsd }) => volumeUsd)),
    profitable: isUndecided
      ? null
      : {
          organic: winners.filter((wallet) => wallet.isOrganic).length,
          volumeUsd: sum(winners.map(({ volumeUsd }) => volumeUsd)),
        },
    meanHoldS: mean(organic.flatMap(({ holdS }) => holdS ?? [])),
    meanFrequencyS: mean(organic.flatMap(({ frequencyS }) => frequencyS ?? [])),
    flows: {
      influx: naiveFlow(steps, 'buy', moment.nowMs),
      outflux: naiveFlow(steps, 'sell', moment.nowMs),
    },
    ...naiveHolders(steps),
  };
}

interface NaiveWallet {
  readonly isOrganic: boolean;
  readonly volumeUsd: bigint;
  readonly isAhead: boolean | 'depends';
  readonly holdS: number | null;
  readonly frequencyS: number | null;
}

function naiveWallet(
  steps: readonly IndicatorStep[],
  wallet: Address,
  moment: NaiveMoment,
): NaiveWallet {
  const firstTrade = steps.findIndex(
    (step) => step.kind === 'trade' && step.wallet === wallet && !step.trade.isHop,
  );
  // Events of a wallet before its first swap in the pool do not count: they are repeated later.
  const own = steps.slice(firstTrade).filter((step) => 'wallet' in step && step.wallet === wallet);
  const swaps = own.flatMap((step) =>
    step.kind === 'trade' && !step.trade.isHop ? step.trade : [],
  );
  const volumeUsd = sum(swaps.map((swap) => swap.volumeUsd ?? 0n));
  const classes = own.flatMap((step) => {
    if (step.kind === 'class') return step.isBot;
    return step.kind === 'trade' && !step.trade.isHop ? step.trade.isBot : [];
  });
  const isExposed = swaps.some((swap) => swap.isVolumeAtomic);
  const isSandwich = own.some((step) => step.kind === 'sandwich');
  const isDust = swaps.every((swap) => swap.volumeUsd !== null) && volumeUsd < 1_000_000_000n;
  const position = own.flatMap((step) => (step.kind === 'position' ? step.position : [])).at(-1);
  return {
    isOrganic: classes.at(-1) !== true && !isExposed && !isSandwich && !isDust,
    volumeUsd,
    isAhead: position === undefined ? false : naiveIsAhead(position, moment),
    holdS: position === undefined ? null : naiveHold(position, moment),
    frequencyS: naiveFrequency(swaps),
  };
}

/** R + q·P − C > tolerance, in nano-dollars times 10^(decimals + 9). */
function naiveIsAhead(position: PositionView, moment: NaiveMoment): boolean | 'depends' {
  if (!position.hasKnownBuy) return false;
  const tenth = position.grossCostUsd / 1_000n;
  const tolerance = tenth > 10_000_000n ? tenth : 10_000_000n;
  if (!position.isOpen) return position.realisedUsd > tolerance;
  const withoutMark = position.realisedUsd - position.costUsd - tolerance;
  if (position.heldRaw === 0n) return withoutMark > 0n;
  if (moment.priceUsd === null) return withoutMark > 0n ? true : 'depends';
  const scale = 10n ** BigInt(moment.baseDecimals + 9);
  return withoutMark * scale + position.heldRaw * moment.priceUsd > 0n;
}

function naiveHold(position: PositionView, { nowMs, originMs }: NaiveMoment): number | null {
  const held = Number(position.heldRaw);
  const total = position.closedRaw + held;
  if (total === 0) return null;
  const age = (nowMs - originMs) / 1_000 - position.acquiredS;
  return (position.closedHold + held * age) / total;
}

function naiveFrequency(swaps: readonly PoolTrade[]): number | null {
  const times = new Map<string, number>();
  for (const { slot, txIndex, timeMs } of swaps) {
    if (timeMs !== null) times.set(`${slot} ${txIndex}`, timeMs);
  }
  const ordered = [...times.values()].sort((one, other) => one - other);
  const gaps = ordered.slice(1).map((time, index) => (time - (ordered[index] ?? 0)) / 1_000);
  return mean(gaps);
}

function naiveFlow(
  steps: readonly IndicatorStep[],
  side: 'buy' | 'sell',
  nowMs: number,
): { readonly raw: bigint; readonly weighted: number } {
  const trades = steps.flatMap((step) => {
    if (step.kind !== 'smartTrade' || step.trade.side !== side) return [];
    return step.trade.timeMs > nowMs - 600_000 && step.trade.valueUsd > 0n ? step.trade : [];
  });
  const eligible = trades.filter(({ isEligible }) => isEligible);
  const wallets = [...new Set(eligible.map(({ wallet }) => wallet))].map((wallet) => {
    const own = eligible.filter((trade) => trade.wallet === wallet);
    return {
      wallet,
      cluster: own.at(-1)?.cluster ?? null,
      score: Math.max(...own.map(({ score }) => score)),
      flow: Number(sum(own.map(({ valueUsd }) => valueUsd))),
      weighted: own.reduce(
        (total, { valueUsd, score }) => total + (Number(valueUsd) * score) / 100,
        0,
      ),
    };
  });
  const ranked = wallets.sort(
    (one, other) =>
      other.score - one.score || other.flow - one.flow || (one.wallet < other.wallet ? -1 : 1),
  );
  const counted = ranked.filter(
    ({ cluster }, place) =>
      cluster === null || ranked.findIndex((other) => other.cluster === cluster) === place,
  );
  return {
    raw: sum(trades.map(({ valueUsd }) => valueUsd)),
    weighted: counted.reduce((total, { weighted }) => total + weighted, 0),
  };
}

function naiveHolders(
  steps: readonly IndicatorStep[],
): Pick<NaiveIndicators, 'smartHolders' | 'rawScore'> {
  const smart = steps.flatMap((step) => (step.kind === 'smart' ? step : []));
  const held = smart
    .filter((step, place) => smart.findLastIndex(({ wallet }) => wallet === step.wallet) === place)
    .flatMap(({ holding }) => holding ?? []);
  const terms = held.map(
    ({ score, costUsd }) => (score / 100) * Math.log(1 + Number(costUsd) / 1e11),
  );
  return { smartHolders: held.length, rawScore: terms.reduce((total, term) => total + term, 0) };
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return values.reduce((total, value) => total + value, 0) / values.length;
}
