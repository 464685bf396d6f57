import { UndoLog } from '../../src/lib/undo-log.ts';
import type { IndicatorRecord } from '../../src/model/indicators.ts';
import type { PoolRecord } from '../../src/model/pool-record.ts';
import type { Signal } from '../../src/model/signal.ts';
import type { TokenRecord } from '../../src/model/token-record.ts';
import type { Address, PriceE18, RawAmount, Slot, UsdNano } from '../../src/model/units.ts';
import type { PoolDepth } from '../../src/signals/execution/fill.ts';
import { FeatureWindows } from '../../src/signals/features/feature-windows.ts';
import type { SignalTrade } from '../../src/signals/features/minute-bar.ts';
import {
  type Features,
  type MinuteFacts,
  passedConditions,
  type SignalModel,
} from '../../src/signals/features/signal-model.ts';
import { WindowReading } from '../../src/signals/features/window-reading.ts';
import { buildMinute, buildPool, buildToken } from './build-records.ts';
import { address } from './build-transaction.ts';

const MINUTE_MS = 60_000;
/** The start of a minute, an hour and a five-minute interval. */
export const SCENE_START_MS = 1_760_400_000_000;
export const SCENE_POOL = address('signal pool');
export const SCENE_MINT = address('signal mint');
const DECIMALS = 6;

export interface SceneTrade {
  readonly wallet?: string;
  readonly side?: 'buy' | 'sell';
  /** Dollars; null when unknown. */
  readonly usd?: number | null;
  /** Dollars; null for a trade that may not set a price. */
  readonly price?: number | null;
  readonly isOrganic?: boolean;
  readonly smartWeight?: number;
  readonly tokens?: number;
}

export function nano(usd: number): UsdNano {
  return BigInt(Math.round(usd * 1e9)) as UsdNano;
}

export function priceOf(usd: number): PriceE18 {
  return (BigInt(Math.round(usd * 1e9)) * 1_000_000_000n) as PriceE18;
}

export function tokensRaw(tokens: number): RawAmount {
  return BigInt(Math.round(tokens * 10 ** DECIMALS)) as RawAmount;
}

/** A trade this many minutes after the start: by default an organic purchase for one dollar. */
export function sceneTrade(minute: number, given: SceneTrade = {}): SignalTrade {
  const { wallet = 'somebody', side = 'buy', usd = 1, price = 1, tokens = 1 } = given;
  return {
    pool: SCENE_POOL,
    timeMs: SCENE_START_MS + minute * MINUTE_MS,
    side,
    wallet: wallet as Address,
    baseRaw: tokensRaw(tokens),
    valueUsd: usd === null ? null : nano(usd),
    priceUsd: price === null ? null : priceOf(price),
    isOrganic: given.isOrganic ?? true,
    smartWeight: given.smartWeight ?? 0,
  };
}

interface GivenFacts extends Partial<Omit<MinuteFacts, 'pool' | 'token' | 'indicators'>> {
  readonly pool?: Partial<PoolRecord>;
  readonly token?: Partial<TokenRecord>;
  readonly indicators?: Partial<IndicatorRecord>;
}

/** A pool that passes every veto: a million tokens at a dollar, $50,000 deep, locked. */
export function sceneFacts(minute: number, given: GivenFacts = {}): MinuteFacts {
  const { pool, token, indicators, ...others } = given;
  const nowMs = SCENE_START_MS + (minute + 1) * MINUTE_MS - 1;
  const minuteMs = SCENE_START_MS + minute * MINUTE_MS;
  return {
    indicators: {
      ...buildMinute(SCENE_POOL, minuteMs).record,
      slot: (100 + minute) as Slot,
      createdAtMs: nowMs,
      smartMoneyInflux10min: nano(0),
      smartMoneyOutflux10min: nano(0),
      ...indicators,
    },
    pool: buildPool(SCENE_POOL, SCENE_MINT, {
      priceUsd: priceOf(1),
      liquidityUsd: nano(50_000),
      lockedLiquidity: { issuedRaw: tokensRaw(100), lockedRaw: tokensRaw(90) },
      ...pool,
    }),
    token: buildToken(SCENE_MINT, {
      supplyRaw: tokensRaw(1_000_000),
      decimals: DECIMALS,
      primaryPool: SCENE_POOL,
      creationSlot: 1 as Slot,
      createdAtMs: SCENE_START_MS,
      ...token,
    }),
    isCurve: false,
    isLaunchpadLocked: false,
    isFreezable: false,
    fraudConfidence: 0,
    transferFeeBps: 0,
    isPriceFinal: true,
    entityOf: (wallet) => wallet,
    heldRawOf: () => 0,
    topClusterShare: () => 0,
    ...others,
  };
}

/**
 * The measures of a model at the end of a minute after some trades, and whether all conditions
 * hold.
 */
export function judge(
  model: SignalModel,
  trades: readonly SignalTrade[],
  facts: MinuteFacts,
): { readonly features: Features; readonly isPassed: boolean; readonly failed: string[] } {
  const windows = new FeatureWindows(new UndoLog());
  for (const trade of trades) windows.note(trade);
  const window = windows.window(SCENE_POOL);
  if (window === null) throw new Error('the pool has no trades');
  const nowMs = facts.indicators.createdAtMs ?? 0;
  const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const reading = new WindowReading(window, minuteMs, facts.entityOf);
  const features = model.measure({ window: reading, facts });
  const { conditions } = model.parameters;
  const failed = Object.keys(conditions).filter((feature) => {
    const only = { conditions: { [feature]: conditions[feature] ?? NOTHING } };
    return passedConditions(features, only) === null;
  });
  const isPassed = passedConditions(features, model.parameters) !== null;
  return { features, isPassed, failed };
}

const NOTHING = { least: null, most: null, reason: '' };

/** A signal at a dollar with a supply of 100 tokens: market caps are a hundred times the price. */
export function aSignal(given: Partial<Signal> = {}): Signal {
  return {
    rowId: 1,
    model: 'organic_momentum',
    version: 1,
    parametersHash: 'hash',
    mint: SCENE_MINT,
    pool: SCENE_POOL,
    name: null,
    symbol: null,
    slot: 1_000 as Slot,
    createdAtMs: SCENE_START_MS,
    asOfSlot: 999 as Slot,
    priceUsd: priceOf(1),
    supplyRaw: tokensRaw(100),
    decimals: DECIMALS,
    marketCapUsd: nano(100),
    liquidityUsd: nano(50_000),
    ageMs: null,
    features: {},
    passed: [],
    ...given,
  };
}

/** A pool of 10,000 tokens and $10,000 without fee, SOL at $100. */
export function aDepth(timeMs: number, given: Partial<PoolDepth> = {}): PoolDepth {
  return {
    timeMs,
    priceUsd: 1,
    base: 10_000,
    quoteUsd: 10_000,
    realBase: 10_000,
    realQuoteUsd: 10_000,
    feeBps: 0,
    solUsd: 100,
    ...given,
  };
}
