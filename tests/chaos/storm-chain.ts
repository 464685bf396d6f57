import { SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { createSimulation, type Simulation } from '../../simulator/simulation.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import { StormFaults, stormSettings } from './storm-faults.ts';

const GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** Slots there are before anybody looks: more than a dropped branch has. */
const PAST_SLOTS = 60;
/** A service that was dead for long must still find its place. */
const WINDOW_SLOTS = 1_000;
/** How far the chain goes ahead of what the service calls final. */
const AHEAD_SLOTS_MAX = 150;
const SLOT_MS = 40;

interface StormNode {
  readonly node: SimulatedNode;
  readonly faults: StormFaults;
  readonly port: number;
}

/** One simulated market with forks and skipped slots behind nodes that each fail in their own way. */
export class StormChain {
  /** Every block as it was made, those of dropped branches too. */
  readonly steps: ChainStep[] = [];
  private readonly simulation: Simulation;
  private readonly passed: (ChainStep | null)[] = [];
  private readonly nodes: StormNode[] = [];
  private timer: NodeJS.Timeout | null = null;

  private constructor(seed: string) {
    this.simulation = createSimulation({
      ...eventfulMarket(seed),
      skipRate: 0.05,
      forkRate: 0.08,
      forkSlotsMax: 8,
    });
  }

  static async start(seed: string, nodes: number): Promise<StormChain> {
    const chain = new StormChain(seed);
    for (let index = 0; index < nodes; index++) await chain.addNode(`${seed} ${index}`);
    while (chain.passed.length < PAST_SLOTS) chain.advance();
    return chain;
  }

  get url(): string {
    return this.nodes.map(({ port }) => `http://127.0.0.1:${port}/`).join(',');
  }

  get tipSlot(): number {
    return this.steps.at(-1)?.block.slot ?? 0;
  }

  /** Blocks that stay, in order. */
  get canonical(): readonly ChainStep[] {
    return this.steps.filter(({ isCanonical }) => isCanonical);
  }

  get droppedBlocks(): number {
    return this.steps.length - this.canonical.length;
  }

  get faultsInjected(): number {
    return this.nodes.reduce((sum, { faults }) => sum + faults.injectedTotal, 0);
  }

  /** Every kind of fault that struck at least once. */
  get faultKinds(): ReadonlySet<string> {
    return new Set(this.nodes.flatMap(({ faults }) => [...faults.injected.keys()]));
  }

  /** Lets slots pass, but waits for a service whose last final slot is too far behind. */
  run(finalSlot: () => number | null): void {
    this.timer = setInterval(() => {
      const isNear = this.tipSlot - (finalSlot() ?? this.tipSlot) <= AHEAD_SLOTS_MAX;
      if (isNear) this.advance();
    }, SLOT_MS);
  }

  /** Every node says that this slot was skipped; null lets all pass. */
  withhold(slot: number | null): void {
    for (const { faults } of this.nodes) faults.withhold(slot);
  }

  calm(): void {
    for (const { faults } of this.nodes) faults.calm();
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    for (const { node } of this.nodes) await node.close();
  }

  private advance(): void {
    for (const { node } of this.nodes) node.advance();
  }

  private async addNode(seed: string): Promise<void> {
    const faults = new StormFaults(stormSettings(seed));
    let next = 0;
    const node = new SimulatedNode({
      // Nodes show the same chain: whoever comes first makes the slot.
      simulation: { world: this.simulation.world, step: () => this.stepAt(next++) },
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
