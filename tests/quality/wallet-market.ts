import type { SimulatedBlock } from '../../simulator/chain/simulated-transaction.ts';
import { toChainBlock } from '../../simulator/faces/to-chain-block.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { PRESETS, type PresetName } from '../../simulator/simulation-presets.ts';
import type { WalletLabel } from '../../simulator/truth/labels.ts';
import { decodeBlock } from '../../src/decoders/decode-block.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Address } from '../../src/model/units.ts';
import { type WalletEpisode, WalletEpisodes } from './wallet-episodes.ts';

/** Options of a run, and when the service is queried. */
export interface WalletMarketPlan {
  readonly preset: PresetName;
  readonly seed: string;
  /** Simulated days after which every wallet that traded is judged. */
  readonly judgedAfterDays: number;
  /** Periods after that whose returns are measured, and their length. */
  readonly periods: number;
  readonly periodDays: number;
}

/** The label of a wallet and the service's result for it. */
export interface JudgedWallet {
  readonly address: Address;
  readonly truth: WalletLabel;
  /** Transactions in which it traded. */
  readonly trades: number;
  readonly isBot: boolean;
  /** Null while it has no ended episode. */
  readonly skill: {
    readonly isSmart: boolean;
    readonly score: number;
    readonly episodes: number;
    readonly wins: number;
    readonly merit: number;
    /** Parts of the merit. */
    readonly skillMean: number;
    readonly skillBound: number;
    readonly boundWithoutBest: number;
    readonly logProfitFactor: number;
  } | null;
}

export interface WalletMarketRun {
  readonly plan: WalletMarketPlan;
  readonly transactions: number;
  readonly launches: number;
  /** Processor time of the thread that ran it. */
  readonly seconds: number;
  readonly wallets: readonly JudgedWallet[];
  /** By period, the results of positions begun in it. */
  readonly episodes: readonly (readonly WalletEpisode[])[];
}

const DAY_MS = 86_400_000;

/** Runs a simulated market, as raw blocks, through decoders and engine. */
export function runWalletMarket(
  plan: WalletMarketPlan,
  onProgress: (share: number) => void = () => undefined,
): WalletMarketRun {
  const began = process.threadCpuUsage();
  const config = { ...PRESETS[plan.preset], seed: plan.seed };
  const market = new FoldedMarket(createSimulation(config));
  const judgedMs = config.startMs + plan.judgedAfterDays * DAY_MS;
  const endMs = judgedMs + plan.periods * plan.periodDays * DAY_MS;
  const report = (): void => onProgress((market.nowMs - config.startMs) / (endMs - config.startMs));
  market.runUntil(judgedMs, report);
  const wallets = market.judge();
  const episodes: WalletEpisode[][] = [];
  for (let period = 1; period <= plan.periods; period++) {
    episodes.push(market.measureUntil(judgedMs + period * plan.periodDays * DAY_MS, report));
  }
  const { user, system } = process.threadCpuUsage(began);
  const { transactions, launches } = market;
  return { plan, transactions, launches, seconds: (user + system) / 1e6, wallets, episodes };
}

/** Blocks between two reports of progress. */
const TOLD_EVERY = 1_000;

class FoldedMarket {
  transactions = 0;
  private readonly simulation: Simulation;
  private readonly engine = new Engine({ fallbackSolUsd: null });
  private episodes = new WalletEpisodes();
  private blocks = 0;

  constructor(simulation: Simulation) {
    this.simulation = simulation;
  }

  get nowMs(): number {
    return this.simulation.world.nowMs;
  }

  get launches(): number {
    return this.simulation.truth.launches.length;
  }

  runUntil(endMs: number, report: () => void): void {
    while (this.nowMs < endMs) {
      const step = this.simulation.step();
      if (step === null || !step.isCanonical) continue;
      this.take(step.block);
      if (this.blocks++ % TOLD_EVERY > 0) continue;
      // No client reads them here.
      this.simulation.takePosts();
      report();
    }
  }

  private take(block: SimulatedBlock): void {
    this.engine.apply(decodeBlock(toChainBlock(block)));
    for (const { facts } of block.transactions) {
      this.transactions++;
      for (const fact of facts) if (fact.kind === 'trade') this.episodes.applyTrade(fact);
    }
  }

  /** The results of purchases from now until then. */
  measureUntil(endMs: number, report: () => void): WalletEpisode[] {
    this.episodes = new WalletEpisodes();
    this.runUntil(endMs, report);
    const { world } = this.simulation;
    const { ledger } = world.chain;
    return this.episodes.close(
      (mint, heldRaw) => world.openMarketOf(mint)?.quote(ledger, 'sell', heldRaw) ?? 0n,
    );
  }

  /** Every labelled wallet that the service saw trading. */
  judge(): JudgedWallet[] {
    const wallets: JudgedWallet[] = [];
    for (const [address, truth] of this.simulation.truth.labels.wallets) {
      const record = this.engine.wallet(address);
      if (record === null || record.automation === null) continue;
      const { automation, skill } = record;
      wallets.push({
        address,
        truth,
        trades: automation.trades,
        isBot: automation.class === 'bot',
        skill,
      });
    }
    return wallets;
  }
}
