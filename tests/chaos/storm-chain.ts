import type { FaultSettings } from '../../simulator/faces/node/fault-settings.ts';
import { SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import { withYellowstone, YellowstoneFace } from '../../simulator/faces/node/yellowstone-face.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import { StormFaults, stormSettings } from './storm-faults.ts';

const GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Slots before the service starts: more than a dropped branch has. */
const PAST_SLOTS = 60;
/** A service that was down for long must still find its position in the window. */
const WINDOW_SLOTS = 1_000;
/** How far the chain may be ahead of the service. */
const AHEAD_SLOTS_MAX = 150;
/** Time per slot while the service is near, so that it sees branches before they are dropped. */
const SLOT_MS = 40;
const NEAR_SLOTS = 4;
/** Time per slot while it is down or behind: on a slow machine a storm only takes longer. */
const FAR_SLOT_MS = 1_000;
const TICK_MS = 20;
const FORK_TICK_MS = 5;

/** Progress of a service; null while it has none. */
export interface Reached {
  readonly headSlot: number | null;
  readonly finalSlot: number | null;
}

interface StormNode {
  readonly node: SimulatedNode;
  readonly faults: StormFaults;
  readonly port: number;
}

interface StormStream {
  readonly face: YellowstoneFace;
  readonly faults: StormFaults;
  readonly port: number;
}

/** One simulated market with forks and skipped slots behind nodes that each fail in their own way. */
export class StormChain {
  /** Every block as it was produced, including those of dropped branches. */
  readonly steps: ChainStep[] = [];
  private readonly simulation: Simulation;
  private readonly passed: (ChainStep | null)[] = [];
  private readonly nodes: StormNode[] = [];
  private stream: StormStream | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isHeld = false;

  private constructor(seed: string) {
    this.simulation = createSimulation({
      ...eventfulMarket(seed),
      skipRate: 0.05,
      forkRate: 0.08,
      forkSlotsMax: 8,
    });
  }

  /** With `hasStream` a failing Yellowstone server serves the chain as well. */
  static async start(seed: string, nodes: number, hasStream = false): Promise<StormChain> {
    const chain = new StormChain(seed);
    if (hasStream) await chain.openStream(seed);
    for (let index = 0; index < nodes; index++) await chain.addNode(`${seed} ${index}`);
    while (chain.passed.length < PAST_SLOTS) chain.advance();
    return chain;
  }

  get url(): string {
    return this.urls.join(',');
  }

  /** One for each node. */
  get urls(): readonly string[] {
    return this.nodes.map(({ port }) => `http://127.0.0.1:${port}/`);
  }

  /** URL of the Yellowstone server, null without one. */
  get streamUrl(): string | null {
    return this.stream === null ? null : `http://127.0.0.1:${this.stream.port}`;
  }

  get tipSlot(): number {
    return this.steps.at(-1)?.block.slot ?? 0;
  }

  /** Canonical blocks, in order. */
  get canonical(): readonly ChainStep[] {
    return this.steps.filter(({ isCanonical }) => isCanonical);
  }

  get droppedBlocks(): number {
    return this.steps.length - this.canonical.length;
  }

  get faultsInjected(): number {
    return this.allFaults.reduce((sum, { injectedTotal }) => sum + injectedTotal, 0);
  }

  /** Every kind of fault that occurred at least once. */
  get faultKinds(): ReadonlySet<string> {
    return new Set(this.allFaults.flatMap(({ injected }) => [...injected.keys()]));
  }

  /** Advances this many slots at once, as far as the chain may be ahead of a service. */
  leap(slots: number, { finalSlot }: Reached): void {
    for (let passed = 0; passed < slots; passed++) {
      if (finalSlot === null || this.tipSlot - finalSlot > AHEAD_SLOTS_MAX) return;
      this.advance();
    }
  }

  /** Advances slots, faster for a service that keeps up, and none for one that is far behind. */
  run(reached: () => Reached): void {
    const beginSlot = this.tipSlot;
    let passedMs = performance.now();
    this.timer = setInterval(() => {
      if (this.isHeld) return;
      const { headSlot, finalSlot } = reached();
      // A service that was killed before it stored anything begins at the tip again, and has another
      // final slot only once the chain is far enough beyond that.
      const reachedSlot = Math.max(finalSlot ?? beginSlot, headSlot ?? beginSlot);
      if (this.tipSlot - reachedSlot > AHEAD_SLOTS_MAX) return;
      const isNear = headSlot !== null && this.tipSlot - headSlot <= NEAR_SLOTS;
      if (performance.now() - passedMs < (isNear ? SLOT_MS : FAR_SLOT_MS)) return;
      passedMs = performance.now();
      this.advance();
    }, TICK_MS);
  }

  /** Every node reports that this slot was skipped; null withholds none. */
  withhold(slot: number | null): void {
    for (const faults of this.allFaults) faults.withhold(slot);
  }

  /** Changes what is wrong with one node, and returns what it was before. */
  spoil(node: number, settings: Partial<FaultSettings>): FaultSettings | null {
    const faults = this.nodes[node]?.faults;
    const before = faults?.settings ?? null;
    faults?.change(settings);
    return before;
  }

  /** No slot passes until `go`. */
  hold(): void {
    this.isHeld = true;
  }

  /** Holds, and resolves, once the two newest blocks are on one branch that the chain leaves. */
  async holdOnFork(): Promise<void> {
    while (!this.isOnFork) await new Promise((resolve) => setTimeout(resolve, FORK_TICK_MS));
    this.hold();
  }

  go(): void {
    this.isHeld = false;
  }

  /** Hashes of the blocks that the chain has left, or will leave. */
  get droppedHashes(): ReadonlySet<string> {
    const dropped = this.steps.filter(({ isCanonical }) => !isCanonical);
    return new Set(dropped.map(({ block }) => block.blockhash));
  }

  calm(): void {
    for (const faults of this.allFaults) faults.calm();
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.stream?.face.close();
    for (const { node } of this.nodes) await node.close();
  }

  private get isOnFork(): boolean {
    const [before, last] = this.steps.slice(-2);
    if (before === undefined || last === undefined) return false;
    const isOneBranch = last.block.previousBlockhash === before.block.blockhash;
    return isOneBranch && !last.isCanonical && !before.isCanonical;
  }

  private get allFaults(): readonly StormFaults[] {
    const stream = this.stream === null ? [] : [this.stream.faults];
    return [...this.nodes.map(({ faults }) => faults), ...stream];
  }

  private advance(): void {
    for (const { node } of this.nodes) node.advance();
  }

  private async openStream(seed: string): Promise<void> {
    const faults = new StormFaults(stormSettings(`${seed} stream`));
    const face = new YellowstoneFace({ faults, window: { windowSlots: WINDOW_SLOTS } });
    this.stream = { face, faults, port: await face.listen(0) };
  }

  private async addNode(seed: string): Promise<void> {
    const faults = new StormFaults(stormSettings(seed));
    let next = 0;
    // Nodes serve the same chain: the first that needs a slot produces it.
    const simulation = { world: this.simulation.world, step: () => this.stepAt(next++) };
    const isFirst = this.nodes.length === 0;
    const node = new SimulatedNode({
      simulation:
        isFirst && this.stream !== null
          ? withYellowstone(simulation, this.stream.face)
          : simulation,
      genesisHash: GENESIS_HASH,
      windowSlots: WINDOW_SLOTS,
      faults,
    });
    this.nodes.push({ node, faults, port: await node.listen(0) });
  }

  private stepAt(index: number): ChainStep | null {
    const known = this.passed[index];
    if (known !== undefined) return known;
    const step = this.simulation.step();
    this.passed.push(step);
    if (step !== null) this.steps.push(step);
    return step;
  }
}
