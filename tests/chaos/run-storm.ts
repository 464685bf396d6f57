import { rmSync } from 'node:fs';
import { Random } from '../../simulator/random/random.ts';
import { address } from '../support/build-transaction.ts';
import { temporaryFolder } from '../support/command-line.ts';
import { cursorEvidence, tradedIn } from './data-folder-state.ts';
import { type Reached, StormChain } from './storm-chain.ts';
import { type GapDelays, type GapSituation, withholdSlot } from './storm-gap.ts';
import { type LifeReport, pause, StormService } from './storm-service.ts';
import { cursorDifferences, judge, type Verdict } from './storm-verdict.ts';

const NODES = 3;
/**
 * About a third of the kills hit while the process opens its folder, the others while it follows.
 */
const START_KILL_SHARE = 0.3;
const START_KILL_MS = 1_500;
const FOLLOW_KILL_MS = 2_500;
/** The longest time that a process stands still, and before it does. */
const FREEZE_MS = 2_000;
/** Average total time between kills: with many kills each run is shorter. */
const FOLLOWED_MS = 30_000;
/** The chain continues while no service follows it: up to this many slots at once after a kill. */
const LEAP_SLOTS_MAX = 30;
/** A generous limit for busy machines; a run without problems does not use it. */
const PATIENCE_MS = 300_000;
/** Slots after the storm that must be final as well. */
const CALM_SLOTS = 10;
/** A storm with fewer faults or requests would prove less than it claims. */
export const STORM_AT_LEAST = { faults: 40, faultKinds: 8, undos: 1, answers: 20 } as const;
/** Memory limit of the process (G4). */
const RESIDENT_BYTES_MAX = 2 ** 30;

export interface StormOptions {
  readonly seed: string;
  readonly kills: number;
  /** Where the slot lies that all nodes withhold until the service reports it; null for none. */
  readonly gap: GapSituation | null;
  /** Whether blocks come from a Yellowstone server, and only the blocks it omits from the nodes. */
  readonly hasStream?: boolean;
  /** Memory for the state, such as 1MiB; as much as in production by default. */
  readonly stateMemory?: string;
  /** Whether the process also stands still for a time in each of its lives. */
  readonly hasFreezes?: boolean;
}

export interface StormResult extends Verdict {
  readonly seed: string;
  readonly faults: number;
  readonly faultKinds: number;
  readonly kills: number;
  /** Branches that the service followed and dropped, and the slots it reverted with them. */
  readonly undos: number;
  readonly undoneSlots: number;
  /** Times that the process was stopped and continued. */
  readonly freezes: number;
  /** Pages of the state that left memory, as far as the lives' last figures tell. */
  readonly evictedPages: number;
  /** When the withheld slot was reported, by output; null without a gap. */
  readonly gap: GapDelays | null;
  readonly isGapClosed: boolean;
  /** From the start after the last kill until the chain's tip at that start was reached. */
  readonly caughtUpMs: number;
  /** Highest resident memory of any run. */
  readonly peakBytes: number;
  readonly answers: number;
  readonly slowestMs: number;
  /** Differences from the calm run or from the venues, in words; empty when correct. */
  readonly differences: readonly string[];
  /** Where a process broke a rule that always holds (G3 to G5). */
  readonly offences: readonly string[];
  readonly seconds: number;
}

/**
 * Follows a simulated market through failing nodes and kills, lets the service catch up, and
 * compares the stored data with a calm run over the same blocks and with the venues' own records.
 * The seed determines the chain and the faults; the times of the kills depend on the machine too.
 */
export async function runStorm(options: StormOptions): Promise<StormResult> {
  const startedMs = performance.now();
  const chain = await StormChain.start(options.seed, NODES, options.hasStream);
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  try {
    const storm = new Storm(chain, folders[0], options);
    await storm.pass();
    const verdict = await judge(chain, ...folders);
    const differences = [...storm.differences, ...verdict.differences];
    const seconds = (performance.now() - startedMs) / 1_000;
    return { ...verdict, ...storm.result, differences, seconds };
  } finally {
    await chain.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

class Storm {
  readonly differences: string[] = [];
  private readonly chain: StormChain;
  private readonly dataDir: string;
  private readonly options: StormOptions;
  private readonly random: Random;
  private readonly counts = { kills: 0, freezes: 0, undos: 0, undoneSlots: 0, evictedPages: 0 };
  private readonly lives: LifeReport[] = [];
  private service: StormService | null = null;
  private reached: Reached = { headSlot: null, finalSlot: null };
  private gap: GapDelays | null = null;
  private isGapClosed = false;
  private caughtUpMs = 0;

  constructor(chain: StormChain, dataDir: string, options: StormOptions) {
    this.chain = chain;
    this.dataDir = dataDir;
    this.options = options;
    this.random = new Random(`kills ${options.seed}`);
  }

  get result() {
    const { chain, gap, isGapClosed, caughtUpMs, options, lives } = this;
    const peakBytes = Math.max(...lives.map((life) => life.peakBytes));
    const isTooLarge = peakBytes > RESIDENT_BYTES_MAX;
    return {
      ...this.counts,
      seed: options.seed,
      faults: chain.faultsInjected,
      faultKinds: chain.faultKinds.size,
      gap,
      isGapClosed,
      caughtUpMs,
      peakBytes,
      answers: lives.reduce((sum, { answers }) => sum + answers, 0),
      slowestMs: Math.max(...lives.map((life) => life.slowestMs)),
      offences: [
        ...lives.flatMap(({ offences }) => offences),
        ...(isTooLarge ? [`the process held ${peakBytes} bytes`] : []),
      ],
    };
  }

  /** From the first start to the orderly stop. */
  async pass(): Promise<void> {
    this.chain.run(() => this.nowReached());
    try {
      while (this.counts.kills < this.options.kills) await this.runAndKill();
      const service = await this.startToTip();
      await service.until(() => this.hasStormed(service), PATIENCE_MS);
      if (this.options.gap !== null) await this.withhold(service, this.options.gap);
      this.chain.calm();
      const target = this.chain.tipSlot + CALM_SLOTS;
      await service.until(
        ({ finalSlot, openGaps }) => (finalSlot ?? 0) >= target && openGaps === 0,
        PATIENCE_MS,
      );
      this.isGapClosed = this.options.gap !== null;
      await service.stop();
      this.leave(service);
    } finally {
      this.service?.process.process.kill('SIGKILL');
    }
  }

  private hasStormed(service: StormService): boolean {
    const { chain, counts, lives } = this;
    const answers = lives.reduce((sum, life) => sum + life.answers, service.report.answers);
    return (
      chain.faultsInjected >= STORM_AT_LEAST.faults &&
      chain.faultKinds.size >= STORM_AT_LEAST.faultKinds &&
      counts.undos + service.figures.undos >= STORM_AT_LEAST.undos &&
      answers >= STORM_AT_LEAST.answers
    );
  }

  private start(): StormService {
    const { dataDir, chain } = this;
    const { stateMemory } = this.options;
    this.service = new StormService({
      dataDir,
      rpcUrl: chain.url,
      streamUrl: chain.streamUrl,
      paths: askedPaths(chain),
      environment: stateMemory === undefined ? {} : { MINTSCOPE_STATE_MEMORY: stateMemory },
    });
    return this.service;
  }

  private async startToTip(): Promise<StormService> {
    const startedMs = performance.now();
    const tipSlot = this.chain.canonical.at(-1)?.block.slot ?? 0;
    const service = this.start();
    await service.until(({ headSlot }) => (headSlot ?? 0) >= tipSlot, PATIENCE_MS);
    this.caughtUpMs = performance.now() - startedMs;
    await service.until(({ finalSlot }) => finalSlot !== null, PATIENCE_MS);
    return service;
  }

  private async runAndKill(): Promise<void> {
    const service = this.start();
    const shortLife = FOLLOWED_MS / this.options.kills;
    if (this.random.chance(START_KILL_SHARE)) {
      await pause(this.random.between(0, START_KILL_MS));
    } else {
      await service.until(({ finalSlot }) => finalSlot !== null, PATIENCE_MS);
      if (this.options.hasFreezes === true) await this.freeze(service);
      await pause(this.random.between(0, Math.min(FOLLOW_KILL_MS, 2 * shortLife)));
    }
    await service.kill();
    this.leave(service);
    this.counts.kills++;
    for (const difference of cursorDifferences(this.chain, await cursorEvidence(this.dataDir))) {
      this.differences.push(`after kill ${this.counts.kills}, ${difference}`);
    }
    this.chain.leap(Math.floor(this.random.between(0, LEAP_SLOTS_MAX)), this.nowReached());
  }

  /** The process stands still for a time, while the chain goes on. */
  private async freeze(service: StormService): Promise<void> {
    await pause(this.random.between(0, FREEZE_MS));
    await service.freeze();
    await pause(this.random.between(0, FREEZE_MS));
    service.thaw();
    this.counts.freezes++;
  }

  private leave(service: StormService): void {
    this.reached = this.nowReached();
    this.lives.push(service.report);
    this.counts.undos += service.figures.undos;
    this.counts.undoneSlots += service.figures.undoneSlots;
    this.counts.evictedPages += service.figures.evictedPages;
    this.service = null;
  }

  private nowReached(): Reached {
    const { headSlot, finalSlot } = this.service?.figures ?? this.reached;
    return {
      headSlot: headSlot ?? this.reached.headSlot,
      finalSlot: finalSlot ?? this.reached.finalSlot,
    };
  }

  private async withhold(service: StormService, place: GapSituation): Promise<void> {
    const { slot, sight } = await withholdSlot(this.chain, service, place);
    this.gap = sight;
    for (const [where, ms] of Object.entries(sight)) {
      if (ms === null) this.differences.push(`the withheld slot ${slot} was never in the ${where}`);
    }
  }
}

/** Paths of every kind of answer, for known and for unknown subjects. */
function askedPaths({ steps }: StormChain): string[] {
  const [pool] = tradedIn(steps).keys();
  const trades = steps.flatMap(({ block }) => block.transactions.flatMap(({ facts }) => facts));
  const trade = trades.find((fact) => fact.kind === 'trade');
  const mint = trade?.kind === 'trade' ? trade.baseMint : address('mint');
  return [
    '/livez',
    '/readyz',
    '/v1/coverage',
    `/v1/token/${mint}`,
    `/v1/token/${address('nobody')}`,
    `/v1/market/ohlc?token_address=${mint}`,
    `/v1/market/bundled-transactions?token_address=${mint}`,
    `/v1/indicators/current?pair_address=${pool ?? mint}`,
    '/v1/market/ohlc',
    '/nowhere',
  ];
}
