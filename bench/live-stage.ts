import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeLink } from './live-node-link.ts';
import { isPlayable } from './live-open-tape.ts';
import { HotReads } from './live-reads.ts';
import { LiveService, type ServiceOptions } from './live-service.ts';
import type { TapePlan, TradedPool } from './live-tape.ts';
import { TapeMaking } from './live-tape-making.ts';
import { LiveWatch } from './live-watch.ts';

/** Blocks that exist when the service starts: enough for final ones. */
export const LEAD_BLOCKS = 64;
const LAG_SAMPLE_MS = 50;
const SETTLED_LAG_SLOTS = 1;
/** Newest slots whose traded pools are read. */
const TRADED_SLOTS = 10;

export interface StageOptions {
  /** Kept, and reused when it fits; null for a temporary tape. */
  readonly tapeFolder: string | null;
  readonly plan: TapePlan;
  /**
   * Blocks that are made before the service starts; the rest is made beside it, at the lowest
   * priority. All of them when omitted.
   */
  readonly blocksAhead?: number;
  readonly profileDir: string | null;
  /** Options of the service in addition to those of every run. */
  readonly service?: Pick<ServiceOptions, 'settings' | 'openFilesMax'>;
  readonly onNote: (sentence: string) => void;
}

/**
 * A node that plays a tape, a service that follows it, and reads of recently traded pools. All
 * processes and folders are removed by `close`, and with this process.
 */
export class LiveStage {
  readonly node: NodeLink;
  readonly watch: LiveWatch;
  service: LiveService;
  reads: HotReads | null = null;
  private readonly serviceOptions: ServiceOptions;
  private readonly sampling: NodeJS.Timeout;
  private readonly scratch: Scratch;
  private readonly making: TapeMaking | null;

  private constructor(
    node: NodeLink,
    serviceOptions: ServiceOptions,
    { scratch, making }: { readonly scratch: Scratch; readonly making: TapeMaking | null },
  ) {
    this.node = node;
    this.scratch = scratch;
    this.making = making;
    this.serviceOptions = serviceOptions;
    this.watch = new LiveWatch(node);
    this.service = this.startService();
    this.sampling = setInterval(() => this.watch.sampleLag(), LAG_SAMPLE_MS);
  }

  static async open(options: StageOptions): Promise<LiveStage> {
    const scratch = new Scratch();
    try {
      const tapeFolder = options.tapeFolder ?? scratch.folder('tape');
      const making = await provideTape(tapeFolder, options, scratch);
      const node = new NodeLink(tapeFolder);
      scratch.onEnd(() => node.kill());
      const rpcUrl = await node.url();
      node.order({ kind: 'jump', blocks: LEAD_BLOCKS });
      const { profileDir } = options;
      const dataDir = scratch.folder('data');
      const serviceOptions = { dataDir, rpcUrl, profileDir, ...options.service };
      return new LiveStage(node, serviceOptions, { scratch, making });
    } catch (error) {
      scratch.end();
      throw error;
    }
  }

  /** The data folder of the service. */
  get dataDir(): string {
    return this.serviceOptions.dataDir;
  }

  /** Begins to read with these keys in turn, once the service listens. */
  async read(perSecond: number, keys = [this.service.key]): Promise<void> {
    const url = await this.service.url();
    const pools = () => this.tradedPools();
    const onRead = this.watch.onRead.bind(this.watch);
    this.reads = new HotReads({ url, keys, perSecond, pools, onRead });
    void this.reads.run();
  }

  /** Waits until the service shows what the node delivers; false when it takes too long. */
  async settle(timeoutMs: number): Promise<boolean> {
    const deadlineMs = performance.now() + timeoutMs;
    while (performance.now() < deadlineMs) {
      this.assertRuns();
      const { lagSlots } = this.watch;
      if (lagSlots !== null && lagSlots <= SETTLED_LAG_SLOTS) return true;
      await sleep(5);
    }
    return false;
  }

  /** Throws when the service, or the process that makes the blocks, ended by itself. */
  assertRuns(): void {
    this.service.assertRuns();
    this.making?.assertGoesOn();
  }

  async stopService(): Promise<void> {
    this.reads?.stop();
    await this.service.stop();
    this.watch.restart();
  }

  /** Restarts the service on its stored data. */
  restartService(): void {
    this.service = this.startService();
  }

  close(): void {
    clearInterval(this.sampling);
    this.reads?.stop();
    this.scratch.end();
  }

  private startService(): LiveService {
    const service = new LiveService(this.serviceOptions);
    this.scratch.onEnd(() => service.kill());
    return service;
  }

  /** Pools of the newest visible slots; before any is visible, of those that were played. */
  tradedPools(): readonly TradedPool[] {
    const newest = this.watch.visibleSlot ?? this.node.tip?.confirmedSlot ?? 0;
    const slots = Array.from({ length: TRADED_SLOTS }, (_, index) => newest - index);
    return slots.flatMap((slot) => this.node.tradedIn(slot));
  }
}

/** Removes folders and processes when this process ends for any reason. */
class Scratch {
  private readonly endings: (() => void)[] = [];
  private readonly onExit = () => this.end();

  constructor() {
    process.once('exit', this.onExit);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => process.exit(130));
    }
  }

  folder(name: string): string {
    const path = mkdtempSync(join(tmpdir(), `mintscope-live-${name}-`));
    this.onEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
    return path;
  }

  onEnd(ending: () => void): void {
    this.endings.unshift(ending);
  }

  end(): void {
    process.off('exit', this.onExit);
    for (const ending of this.endings.splice(0)) ending();
  }
}

/** Null when the folder holds a tape that can be played, which another run may still make. */
async function provideTape(
  folder: string,
  { plan, blocksAhead = plan.blocks, onNote }: StageOptions,
  scratch: Scratch,
): Promise<TapeMaking | null> {
  if (await isPlayable(folder, plan, blocksAhead)) return null;
  onNote(`Making ${plan.blocks} blocks in ${folder}: about 0.15 s and 0.6 MB each.`);
  const making = new TapeMaking(folder, plan, onNote);
  scratch.onEnd(() => making.kill());
  await making.made(blocksAhead);
  return making;
}
