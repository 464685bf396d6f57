import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS, type PresetName } from '../../simulator/simulation-presets.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import { absolute } from '../../src/lib/decimal.ts';
import type { PricedSwap } from '../../src/model/derived.ts';
import type { ExecutionOutcome, Signal } from '../../src/model/signal.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { Address } from '../../src/model/units.ts';
import type { SignalTrade } from '../../src/signals/features/minute-bar.ts';
import type { SignalModel } from '../../src/signals/features/signal-model.ts';
import { createRandomMinute } from '../../src/signals/models/random-minute.ts';
import { MODELS } from '../../src/signals/registry.ts';
import { loosened } from './signal-parameters.ts';

export interface SignalMarketPlan {
  readonly preset: PresetName;
  readonly seed: string;
  readonly days: number;
}

/** A minute that can be a signal for some parameters, or a random one, with its outcome. */
export interface Candidate {
  readonly signal: Signal;
  readonly returns: ExecutionOutcome['returns'];
}

export interface SignalMarketRun {
  readonly plan: SignalMarketPlan;
  readonly startMs: number;
  readonly transactions: number;
  readonly candidates: readonly Candidate[];
  /** Trades of the most traded pools, in order, for the search for leaks. */
  readonly tapes: readonly (readonly SignalTrade[])[];
}

const DAY_MS = 86_400_000;
const RECHECK_MS = 3_600_000;
const TAPES = 3;
const TAPE_MAX = 3_000;
/**
 * Simulated weeks have few tokens: every minute without a veto, with the cool-down kept, is random.
 */
const CONTROL_SHARE = 1;
const CANDIDATE_COOL_DOWN_MINUTES = 5;

/** Every model with the loosest of all tried parameters, and all random minutes. */
function candidateModels(): SignalModel[] {
  const control = createRandomMinute('candidates ');
  const { draw } = control.parameters.conditions;
  const conditions = { draw: { least: null, reason: '', ...draw, most: CONTROL_SHARE } };
  const models = [...MODELS.slice(0, -1).map(loosened), control];
  return models.map((model) => ({
    ...model,
    parameters: {
      ...model.parameters,
      ...(model.name === control.name ? { conditions } : {}),
      coolDownMinutes: CANDIDATE_COOL_DOWN_MINUTES,
    },
  }));
}

/** Runs a simulated market, as raw blocks, through decoders and engine. */
export function runSignalMarket(
  plan: SignalMarketPlan,
  onProgress: (share: number) => void = () => undefined,
): SignalMarketRun {
  const config = { ...PRESETS[plan.preset], seed: plan.seed };
  const simulation = createSimulation(config);
  const market = new SignalMarket();
  // Positions are followed for a day after the last signal.
  const endMs = config.startMs + (plan.days + 1) * DAY_MS;
  for (let blocks = 0; simulation.world.nowMs < endMs; ) {
    const step = simulation.step();
    if (step === null || !step.isCanonical) continue;
    market.take(decodeBlock(toChainBlock(step.block)));
    if (blocks++ % 1_000 > 0) continue;
    simulation.takePosts();
    onProgress((simulation.world.nowMs - config.startMs) / (endMs - config.startMs));
  }
  const lastMs = config.startMs + plan.days * DAY_MS;
  const candidates = market.candidates(lastMs);
  const { transactions } = market;
  return { plan, startMs: config.startMs, transactions, candidates, tapes: market.tapes() };
}

class SignalMarket {
  transactions = 0;
  private readonly engine = new Engine({ fallbackSolUsd: null, models: candidateModels() });
  private readonly given: Signal[] = [];
  private readonly returns = new Map<number, ExecutionOutcome['returns']>();
  private readonly weights = new Map<
    Address,
    { readonly untilMs: number; readonly weight: number }
  >();
  private readonly tapesByPool = new Map<Address, SignalTrade[]>();

  take(facts: SlotFacts): void {
    this.transactions += facts.transactions.length;
    const { slot, swaps, signals, outcomes } = this.engine.apply(facts);
    this.given.push(...signals);
    for (const { rowId, execution } of outcomes) this.returns.set(rowId, execution.returns);
    for (const swap of swaps) if (swap.slot === slot) this.addToTape(swap);
  }

  /** Candidates entered early enough that all outcomes are known. */
  candidates(lastMs: number): Candidate[] {
    return this.given.flatMap((signal) => {
      const returns = this.returns.get(signal.rowId);
      const isKnown = returns !== undefined && returns.hold_24h !== null;
      return signal.createdAtMs < lastMs && isKnown ? [{ signal, returns }] : [];
    });
  }

  tapes(): SignalTrade[][] {
    const tapes = [...this.tapesByPool.values()];
    return tapes.sort((one, other) => other.length - one.length).slice(0, TAPES);
  }

  private addToTape({ swap, timeMs, valueUsd, isOrganic, ...priced }: PricedSwap): void {
    const tape = this.tapesByPool.get(swap.pool) ?? [];
    this.tapesByPool.set(swap.pool, tape);
    if (tape.length >= TAPE_MAX) return;
    tape.push({
      pool: swap.pool,
      timeMs,
      side: swap.side,
      wallet: swap.trader,
      baseRaw: absolute(swap.poolBaseDelta) as SignalTrade['baseRaw'],
      valueUsd,
      priceUsd: priced.exclusion === null ? priced.priceUsd : null,
      isOrganic,
      smartWeight: isOrganic && swap.trader !== null ? this.weightOf(swap.trader, timeMs) : 0,
    });
  }

  /** Smart wallets are looked up once an hour: labels change no faster. */
  private weightOf(wallet: Address, nowMs: number): number {
    const known = this.weights.get(wallet);
    if (known !== undefined && known.untilMs > nowMs) return known.weight;
    const skill = this.engine.wallet(wallet)?.skill ?? null;
    const weight = skill?.isSmart === true ? skill.score / 100 : 0;
    this.weights.set(wallet, { untilMs: nowMs + RECHECK_MS, weight });
    return weight;
  }
}
