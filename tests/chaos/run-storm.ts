import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { ChainStep } from '../../simulator/market/world.ts';
import { Random } from '../../simulator/random.ts';
import { temporaryFolder } from '../support/command-line.ts';
import {
  calmState,
  cursorEvidence,
  type FolderState,
  stateOf,
  tradedIn,
} from './data-folder-state.ts';
import { StormChain } from './storm-chain.ts';
import { pause, StormService } from './storm-service.ts';

const NODES = 3;
/** A third of the kills come while the process opens its folder, the others while it follows. */
const START_KILL_SHARE = 0.3;
const START_KILL_MS = 1_500;
const FOLLOW_KILL_MS = 2_500;
const FOLLOWING_MS = 60_000;
const CATCH_UP_MS = 120_000;
/** The service gives up on a block after 6 s, and may be behind the chain when the slot comes. */
const NAMED_MS = 45_000;
/** Slots after the storm that must be final as well. */
const CALM_SLOTS = 10;

export interface StormOptions {
  readonly seed: string;
  readonly kills: number;
  /** Whether a slot is withheld by all nodes until the service names it. */
  readonly hasGap: boolean;
}

export interface StormResult {
  readonly seed: string;
  readonly faults: number;
  readonly faultKinds: number;
  readonly kills: number;
  /** Branches that the service followed and left, and the slots it took back with them. */
  readonly undos: number;
  readonly undoneSlots: number;
  readonly slots: number;
  readonly trades: number;
  /** From the first block after the withheld slot to its name on `/readyz`; null without a gap. */
  readonly gapNamedMs: number | null;
  readonly isGapClosed: boolean;
  readonly digest: string;
  readonly calmDigest: string;
  /** What differs from the calm run or from the truth, in words; empty is what is wanted. */
  readonly differences: readonly string[];
  readonly seconds: number;
}

/**
 * Follows a simulated market through failing nodes and kills, lets the service catch up, and holds
 * what is stored against a calm run over the same blocks and against the venues' own books. What the
 * chain does and what goes wrong follows from the seed; when a kill hits, from the machine too.
 */
export async function runStorm(options: StormOptions): Promise<StormResult> {
  const startedMs = performance.now();
  const chain = await StormChain.start(options.seed, NODES);
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  try {
    const storm = new Storm(chain, folders[0], options);
    await storm.pass();
    const told = await compare(chain, folders);
    const differences = [...storm.differences, ...told.differences];
    const seconds = (performance.now() - startedMs) / 1_000;
    return { ...storm.result, ...told, differences, seconds };
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
  private readonly counts = { kills: 0, undos: 0, undoneSlots: 0 };
  private service: StormService | null = null;
  private finalSlot: number | null = null;
  private gapNamedMs: number | null = null;
  private isGapClosed = false;

  constructor(chain: StormChain, dataDir: string, options: StormOptions) {
    this.chain = chain;
    this.dataDir = dataDir;
    this.options = options;
    this.random = new Random(`kills ${options.seed}`);
  }

  get result() {
    const { chain, gapNamedMs, isGapClosed, options } = this;
    return {
      ...this.counts,
      seed: options.seed,
      faults: chain.faultsInjected,
      faultKinds: chain.faultKinds.size,
      gapNamedMs,
      isGapClosed,
    };
  }

  /** From the first start to the end in good order. */
  async pass(): Promise<void> {
    this.chain.run(() => this.reachedSlot());
    try {
      while (this.counts.kills < this.options.kills) await this.runAndKill();
      const service = this.start();
      await service.until(({ finalSlot }) => finalSlot !== null, FOLLOWING_MS);
      // A storm without a fork followed and left would prove less than it says.
      await service.until(({ undos }) => this.counts.undos + undos > 0, CATCH_UP_MS);
      if (this.options.hasGap) await this.withhold(service);
      this.chain.calm();
      const target = this.chain.tipSlot + CALM_SLOTS;
      await service.until(
        ({ finalSlot, openGaps }) => (finalSlot ?? 0) >= target && openGaps === 0,
        CATCH_UP_MS,
      );
      this.isGapClosed = this.options.hasGap;
      this.leave(service);
      await service.stop();
    } finally {
      this.service?.process.process.kill('SIGKILL');
    }
  }

  private start(): StormService {
    this.service = new StormService({ dataDir: this.dataDir, rpcUrl: this.chain.url });
    return this.service;
  }

  private async runAndKill(): Promise<void> {
    const service = this.start();
    if (this.random.chance(START_KILL_SHARE)) {
      await pause(this.random.between(0, START_KILL_MS));
    } else {
      await service.until(({ finalSlot }) => finalSlot !== null, FOLLOWING_MS);
      await pause(this.random.between(0, FOLLOW_KILL_MS));
    }
    this.leave(service);
    await service.kill();
    this.counts.kills++;
    await this.checkCursor();
  }

  private leave({ figures }: StormService): void {
    this.finalSlot = this.reachedSlot();
    this.counts.undos += figures.undos;
    this.counts.undoneSlots += figures.undoneSlots;
  }

  private reachedSlot(): number | null {
    return this.service?.figures.finalSlot ?? this.finalSlot;
  }

  /** Everything the cursor speaks of is there (G7): each block of the log, each swap of it. */
  private async checkCursor(): Promise<void> {
    const evidence = await cursorEvidence(this.dataDir);
    if (evidence === null || evidence.isDirty) return;
    const { slot, logged, swaps } = evidence;
    const steps = stepsBetween(this.chain, logged[0] ?? 0, slot ?? 0);
    const place = `after kill ${this.counts.kills}, up to the cursor at ${slot},`;
    if (
      !isDeepStrictEqual(
        logged,
        steps.map(({ block }) => block.slot),
      )
    ) {
      this.differences.push(`${place} the log has other slots than the chain`);
    }
    const traded = countOf(tradedIn(steps));
    if (swaps !== traded) {
      this.differences.push(`${place} ${swaps} swaps are stored of ${traded}`);
    }
  }

  private async withhold(service: StormService): Promise<void> {
    const { chain } = this;
    const slot = await this.nextStayingSlot();
    const producedMs = performance.now();
    const isNamed = async () => (await service.get('/readyz')).text.includes(String(slot));
    while (!(await isNamed())) {
      if (performance.now() - producedMs > NAMED_MS) {
        this.differences.push(`the withheld slot ${slot} was never named`);
        break;
      }
      await pause(100);
    }
    this.gapNamedMs = performance.now() - producedMs;
    chain.withhold(null);
  }

  /** Withholds slot after slot until one of them has a block that stays. */
  private async nextStayingSlot(): Promise<number> {
    const { chain } = this;
    for (;;) {
      const slot = chain.tipSlot + 3;
      chain.withhold(slot);
      while (chain.tipSlot <= slot) await pause(10);
      if (chain.canonical.some(({ block }) => block.slot === slot)) return slot;
    }
  }
}

async function compare(chain: StormChain, [stormFolder, calmFolder]: readonly [string, string]) {
  const pools = [...tradedIn(chain.steps).keys()];
  const storm = await stateOf(stormFolder, pools);
  const steps = stepsBetween(chain, storm.firstSlot, storm.lastSlot);
  const calm = await calmState(calmFolder, pools, steps);
  const truth = tradedIn(steps);
  return {
    slots: steps.length,
    trades: countOf(truth),
    digest: storm.digest,
    calmDigest: calm.digest,
    differences: differencesOf(storm, calm, truth, steps),
  };
}

function differencesOf(
  storm: FolderState,
  calm: FolderState,
  truth: FolderState['sums'],
  steps: readonly ChainStep[],
): string[] {
  const passed = storm.lastSlot - storm.firstSlot + 1;
  const counts = { held: steps.length, skipped: passed - steps.length, missing: 0 };
  const tables = Object.keys(calm.rows).filter(
    (name) => !isDeepStrictEqual(storm.rows[name], calm.rows[name]),
  );
  const checks: readonly (readonly [boolean, string])[] = [
    [storm.digest === calm.digest, 'the digest differs from that of the calm run'],
    [storm.finalSlot === storm.lastSlot, 'the cursor is not at the end of the log'],
    [tables.length === 0, `rows differ from the calm run's in ${tables.join(', ')}`],
    [isDeepStrictEqual(storm.sums, truth), 'sums of pools differ from those of the venues'],
    [
      isDeepStrictEqual(storm.counts, counts),
      `the ledger counts ${JSON.stringify(storm.counts)} and not ${JSON.stringify(counts)}`,
    ],
  ];
  return checks.filter(([isSame]) => !isSame).map(([, difference]) => difference);
}

function stepsBetween(chain: StormChain, first: number, last: number): ChainStep[] {
  return chain.canonical.filter(({ block }) => block.slot >= first && block.slot <= last);
}

function countOf(sums: FolderState['sums']): number {
  return [...sums.values()].reduce((sum, { swaps }) => sum + swaps, 0);
}
