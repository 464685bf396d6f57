import { AddressIds } from '../lib/address-ids.ts';
import { StateValue } from '../lib/state-value.ts';
import type { UndoLog } from '../lib/undo-log.ts';
import { liquidReserves } from '../model/reserves.ts';
import type { Signal } from '../model/signal.ts';
import type { Address } from '../model/units.ts';
import { CoolDowns } from './cool-downs.ts';
import { FeatureWindows, type MinuteClose, toDollars } from './features/feature-windows.ts';
import { ageMs, marketCapOf } from './features/features.ts';
import type { SignalTrade } from './features/minute-bar.ts';
import {
  type MinuteEnd,
  type MinuteFacts,
  type ModelReading,
  passedConditions,
  type SignalModel,
} from './features/signal-model.ts';
import { WindowReading } from './features/window-reading.ts';
import { cheapVetoOf, clusterVetoOf } from './vetoes.ts';

/**
 * Returns the facts about a pool at the end of a minute; null for a pool that no model evaluates.
 */
export type FactsOf = (pool: Address) => MinuteFacts | null;

/** Asks what else gives signals, after the models, about each pool of a minute. */
export type AskOthers = (
  reading: ModelReading,
  give: (source: SignalSource) => Signal | null,
) => void;

/** What gives a signal, and why. */
export interface SignalSource
  extends Pick<Signal, 'model' | 'version' | 'parametersHash' | 'features' | 'passed'> {}

/**
 * Keeps the data that models need, evaluates them at the end of a minute, and numbers their
 * signals. Order of calls: `note` for the trades of a slot, `endMinute` before the first slot of a
 * later minute.
 */
export class SignalBook {
  private readonly undo: UndoLog;
  private readonly models: readonly SignalModel[];
  private readonly windows: FeatureWindows;
  private readonly coolDowns: CoolDowns;
  private readonly progress: StateValue<{ signals: number }>;

  constructor(undo: UndoLog, models: readonly SignalModel[], ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.models = models;
    this.windows = new FeatureWindows(undo, ids);
    this.coolDowns = new CoolDowns(undo, ids);
    this.progress = new StateValue({ signals: 0 }, undo, 'signals');
  }

  note(trade: SignalTrade): void {
    this.windows.note(trade);
  }

  /**
   * Returns the signals for the pools traded in the minute, pools in the given order. `end` is the
   * first slot after it; facts must not include anything of that slot.
   */
  endMinute(
    minuteMs: number,
    end: MinuteEnd,
    pools: readonly Address[],
    factsOf: FactsOf,
    askOthers: AskOthers = () => undefined,
  ): Signal[] {
    const signals: Signal[] = [];
    for (const pool of pools) {
      const facts = factsOf(pool);
      if (facts === null) continue;
      this.windows.closeMinute(pool, minuteMs, closeOf(facts));
      const window = this.windows.window(pool);
      if (window === null) continue;
      const reading = { window: new WindowReading(window, minuteMs, facts.entityOf), facts };
      signals.push(...this.askModels(reading, end));
      askOthers(reading, (source) => {
        const signal = this.give(source, facts, end);
        if (signal !== null) signals.push(signal);
        return signal;
      });
    }
    this.windows.dropExpired(end.timeMs);
    this.coolDowns.dropExpired(end.timeMs);
    return signals;
  }

  /** Number of signals so far. */
  get count(): number {
    return this.progress.now.signals;
  }

  get poolCount(): number {
    return this.windows.poolCount;
  }

  /** Only a token's primary pool gives signals: its market cap is that of the primary pool. */
  private askModels(reading: ModelReading, end: MinuteEnd): Signal[] {
    const { facts } = reading;
    const { mint } = facts.token;
    if (facts.token.primaryPool !== facts.pool.pool || cheapVetoOf(facts) !== null) return [];
    const signals: Signal[] = [];
    let isClear: boolean | null = null;
    for (const model of this.models) {
      if (!this.coolDowns.isCool(mint, model.name, end.timeMs)) continue;
      const features = model.measure(reading);
      const passed = passedConditions(features, model.parameters);
      if (passed === null) continue;
      isClear ??= clusterVetoOf(facts) === null;
      if (!isClear) return [];
      const { version, hash: parametersHash } = model.parameters;
      const source = { model: model.name, version, parametersHash, features, passed };
      const signal = this.give(source, facts, end);
      if (signal === null) return [];
      this.coolDowns.begin(
        mint,
        model.name,
        end.timeMs + model.parameters.coolDownMinutes * 60_000,
      );
      signals.push(signal);
    }
    return signals;
  }

  private give(source: SignalSource, facts: MinuteFacts, end: MinuteEnd): Signal | null {
    const signal = toSignal({ source, facts, end, rowId: this.count + 1 });
    if (signal === null) return null;
    this.undo.keep(this.progress.now);
    this.progress.now.signals++;
    return signal;
  }
}

function closeOf({ pool: { reserves, priceUsd }, isCurve }: MinuteFacts): MinuteClose {
  const sides = reserves === null ? null : liquidReserves(reserves, isCurve);
  return {
    quoteRaw: sides === null ? null : Number(sides.quote),
    priceUsd: priceUsd === null ? null : toDollars(priceUsd),
  };
}

interface SignalDraft extends Pick<Signal, 'rowId'> {
  readonly source: SignalSource;
  readonly facts: MinuteFacts;
  readonly end: MinuteEnd;
}

/** Null if price, supply or liquidity is unknown: the outcome could not be determined. */
function toSignal({ source, facts, end, rowId }: SignalDraft): Signal | null {
  const { token, pool, indicators } = facts;
  const capUsd = marketCapOf(facts);
  const { priceUsd, liquidityUsd } = pool;
  if (capUsd === null || priceUsd === null || priceUsd === 0n || liquidityUsd === null) return null;
  if (token.supplyRaw === null || token.decimals === null) return null;
  return {
    rowId,
    ...source,
    mint: token.mint,
    pool: pool.pool,
    name: token.name,
    symbol: token.symbol,
    slot: end.slot,
    createdAtMs: end.timeMs,
    asOfSlot: indicators.slot,
    priceUsd,
    supplyRaw: (token.supplyRaw - token.burnedRaw) as Signal['supplyRaw'],
    decimals: token.decimals,
    marketCapUsd: capUsd as Signal['marketCapUsd'],
    liquidityUsd,
    ageMs: ageMs(facts),
  };
}
