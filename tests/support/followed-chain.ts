import { expect } from 'vitest';
import {
  CALM,
  type FaultName,
  type FaultSettings,
} from '../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../simulator/faces/node/faults.ts';
import { type NodeOptions, SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import {
  withYellowstone,
  YellowstoneFace,
  type YellowstoneOptions,
} from '../../simulator/faces/node/yellowstone-face.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import type { BlockLink, ChainPoint } from '../../src/chain/block-link.ts';
import type { StreamUse } from '../../src/chain/block-stream.ts';
import { confirmedPlus } from '../../src/chain/finality.ts';
import { type Endpoint, parseEndpoints } from '../../src/chain/rpc/nodes/endpoint.ts';
import type { RpcSourceOptions } from '../../src/chain/rpc/nodes/rpc-options.ts';
import { createRpcSource, type RpcSource } from '../../src/chain/rpc/rpc-source.ts';
import type { SourceItem } from '../../src/chain/source.ts';
import { createGrpcClient } from '../../src/chain/yellowstone/grpc-client.ts';
import { type FeedTiming, YellowstoneFeed } from '../../src/chain/yellowstone/yellowstone-feed.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import type { SourceProblem } from '../../src/model/errors.ts';
import type { Slot } from '../../src/model/units.ts';
import { LogReader } from './block-tree.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { TransferMarket, type TransferMarketOptions } from './transfer-market.ts';

export interface ServedNode {
  readonly node: SimulatedNode;
  readonly port: number;
  /** The network between the node and its callers. */
  readonly proxy: TcpProxy;
  readonly steps: readonly ChainStep[];
}

export interface ChainOptions {
  readonly market?: TransferMarketOptions;
  /** Setups of nodes that show the same chain; by default one node without faults. */
  readonly nodes?: readonly NodeSetup[];
  /** Blocks that exist before the first request. */
  readonly slots?: number;
  /** Options of a stream of the same chain. */
  readonly stream?: YellowstoneOptions;
}

/** A Yellowstone server behind a network that can fail. */
export interface ServedStream {
  readonly face: YellowstoneFace;
  readonly proxy: TcpProxy;
  readonly url: string;
}

export interface NodeSetup {
  /** Faults from the beginning. */
  readonly settings?: Partial<FaultSettings>;
  /** Replaces the switchboard with those settings. */
  readonly faults?: Faults;
  readonly options?: Partial<NodeOptions>;
}

interface SpoiltSlot {
  readonly slot: number;
  readonly fault: FaultName;
}

/**
 * Records the arrival time of each request in milliseconds; can refuse one slot's block in a chosen
 * way.
 */
export class WatchedFaults extends Faults {
  readonly arrivalsMs: number[] = [];
  private spoilt: SpoiltSlot | null;

  constructor(settings: Partial<FaultSettings> = {}, spoilt: SpoiltSlot | null = null) {
    super({ ...CALM, ...settings });
    this.spoilt = spoilt;
  }

  override ask(question: string): string {
    if (question.startsWith('http ')) this.arrivalsMs.push(performance.now());
    return super.ask(question);
  }

  override strikes(fault: FaultName, key: string): boolean {
    const { spoilt } = this;
    const isSpoilt = spoilt?.fault === fault && key.startsWith(`getBlock [${spoilt.slot},`);
    return isSpoilt || super.strikes(fault, key);
  }

  /** From now on the slot's block is delivered normally. */
  heal(): void {
    this.spoilt = null;
  }

  /**
   * The highest number of requests by which those since a time exceed a constant rate. Requests
   * arrive no earlier than they are sent, so that a stall between the two does not raise it.
   */
  mostAbove(perSecond: number, sinceMs: number): number {
    const since = this.arrivalsMs.filter((ms) => ms >= sinceMs);
    return Math.max(0, ...since.map((ms, at) => at + 1 - ((ms - sinceMs) / 1_000) * perSecond));
  }
}

/** Simulated nodes on loopback that show one chain and advance together. */
export class FollowedChain {
  readonly nodes: readonly ServedNode[];
  private readonly streamed: ServedStream | null;
  private timer: NodeJS.Timeout | null = null;
  private follower: () => Slot | null = () => null;

  private constructor(nodes: readonly ServedNode[], streamed: ServedStream | null) {
    this.nodes = nodes;
    this.streamed = streamed;
  }

  static async start(options: ChainOptions = {}): Promise<FollowedChain> {
    const nodes: ServedNode[] = [];
    const face = options.stream === undefined ? null : new YellowstoneFace(options.stream);
    for (const setup of options.nodes ?? [{}]) {
      nodes.push(await serve(options, setup, nodes.length === 0 ? face : null));
    }
    return new FollowedChain(nodes, face === null ? null : await serveStream(face));
  }

  get stream(): ServedStream {
    if (this.streamed === null) throw new Error('the chain is not streamed');
    return this.streamed;
  }

  get steps(): readonly ChainStep[] {
    return this.nodes[0]?.steps ?? [];
  }

  /** Canonical blocks, in order. */
  get canonical(): readonly ChainStep[] {
    return this.steps.filter(({ isCanonical }) => isCanonical);
  }

  get endpoints(): readonly Endpoint[] {
    const list = this.nodes.map(({ port }) => `http://127.0.0.1:${port}/`).join(',');
    const parsed = parseEndpoints(list);
    if (parsed.status === 'refused') throw new Error(parsed.message);
    return parsed.endpoints;
  }

  /** From now on the chain runs before the source that has read up to this slot. */
  followedBy(read: () => Slot | null): void {
    this.follower = read;
  }

  /**
   * Advances one slot per interval, but one in five seconds while more blocks than this have not
   * been read by the source: on a slow machine nodes must still have what it asks for.
   */
  run(slotMs: number, blocksMax = 120): void {
    let passedMs = 0;
    this.timer = setInterval(() => {
      const read = this.follower();
      const isNear = read === null || (this.steps.at(-1 - blocksMax)?.block.slot ?? 0) <= read;
      if (!isNear && performance.now() - passedMs < 5_000) return;
      passedMs = performance.now();
      this.advance();
    }, slotMs);
  }

  advance(): void {
    for (const { node } of this.nodes) node.advance();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    for (const { node, proxy } of this.nodes) {
      await node.close();
      await proxy.close();
    }
    this.streamed?.face.close();
    await this.streamed?.proxy.close();
  }
}

async function serveStream(face: YellowstoneFace): Promise<ServedStream> {
  const proxy = new TcpProxy(await face.listen(0));
  return { face, proxy, url: `http://127.0.0.1:${await proxy.listen()}` };
}

/** Options that open a chain's stream, with times as short as those of the nodes. */
export function quickStream(url: string, timing: Partial<FeedTiming> = {}, token = 'token') {
  const client = createGrpcClient({ url, token, messageBytesMax: 2 ** 26 });
  const shared = { client, mode: 'transactions', clock: monotonicClock } as const;
  return (use: StreamUse) =>
    new YellowstoneFeed({
      ...shared,
      random: () => 0.5,
      timing: { ...QUICK_STREAM, ...timing },
      ...use,
    });
}

const QUICK_STREAM: FeedTiming = {
  pingIntervalMs: 50,
  silenceMs: 1_000,
  dataSilenceMs: 5_000,
  delayMinMs: 10,
  delayMaxMs: 60,
  attemptsPerMinute: 1_000,
};

async function serve(
  options: ChainOptions,
  setup: NodeSetup,
  face: YellowstoneFace | null,
): Promise<ServedNode> {
  const chain = new TransferMarket(options.market);
  const steps: ChainStep[] = [];
  const simulation = {
    world: chain.world,
    step: () => {
      const step = chain.step();
      if (step !== null) steps.push(step);
      return step;
    },
  };
  const node = new SimulatedNode({
    simulation: face === null ? simulation : withYellowstone(simulation, face),
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    faults: setup.faults ?? new Faults({ ...CALM, ...setup.settings }),
    ...setup.options,
  });
  const proxy = new TcpProxy(await node.listen(0));
  const port = await proxy.listen();
  while (steps.length < (options.slots ?? 60)) node.advance();
  return { node, port, proxy, steps };
}

/** The items of a source, and the log that a reader builds from them. */
export interface Followed {
  readonly source: RpcSource;
  readonly items: readonly SourceItem[];
  readonly problems: readonly SourceProblem[];
  readonly reader: LogReader;
}

/** Short intervals, so that tests are short. */
export const QUICK = {
  requestsPerSecond: 1_000,
  limits: { deadlineMs: 2_000, answerBytesMax: 2 ** 24 },
  health: { circuitFailures: 5, backoffBaseMs: 10, backoffMaxMs: 100 },
  poll: { leastMs: 5, mostMs: 100 },
  nodeCheckMs: 50,
  retryBaseMs: 10,
  retryMaxMs: 100,
  // Longer than any test: those of gaps and outages set their own.
  giveUpAfterMs: 600_000,
  outageGiveUpAfterMs: 600_000,
  hintBackoffMs: 50,
  hintSilenceMs: 500,
  gapRetryMs: 100,
  streamSilenceMs: 300,
} as const;

/** Some thirty chains are followed at once, by tests that run beside others. */
const DEADLINE_MS = 165_000;

/** Follows until the log satisfies the condition, or until the deadline of a busy machine. */
export async function followUntil(
  chain: FollowedChain,
  isEnough: (followed: Followed) => boolean,
  options: Partial<RpcSourceOptions> = {},
): Promise<Followed> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const source = createRpcSource({
    endpoints: chain.endpoints,
    finality: confirmedPlus(),
    signal: deadline,
    ...options,
    tuning: { ...QUICK, ...options.tuning },
  });
  const items: SourceItem[] = [];
  const problems: SourceProblem[] = [];
  let reader = new LogReader({ slot: 0, blockhash: '' });
  chain.followedBy(() => source.status?.headSlot ?? null);
  for await (const item of source) {
    items.push(item);
    if (item.kind === 'problem') problems.push(item.problem);
    else {
      const step = stepOf(item);
      if (items.length === 1 + problems.length && step.kind === 'block') {
        const { parentSlot: slot, previousBlockhash: blockhash } = step.block;
        reader = new LogReader(options.anchor ?? { slot, blockhash });
      }
      reader.read([step]);
    }
    if (isEnough({ source, items, problems, reader })) break;
  }
  if (deadline.aborted) throw new Error(`still at ${JSON.stringify(source.status)}`);
  return { source, items, problems, reader };
}

/** True once this many slots after the log's first are final. */
export function finalFor(slots: number) {
  return ({ reader }: Followed): boolean => {
    const [first] = reader.blocks;
    return first !== undefined && reader.finalSlot >= first.slot + slots;
  };
}

/** Checks that the log up to its last final slot is the simulator's chain, block by block. */
export function expectCanonical(chain: FollowedChain, { reader }: Followed): void {
  const [first] = reader.blocks;
  const isFinal = (slot: number) => slot >= (first?.slot ?? 0) && slot <= reader.finalSlot;
  const expected = chain.canonical.filter(({ block }) => isFinal(block.slot));
  const held = reader.blocks.filter(({ slot }) => isFinal(slot));
  expect(held.map(({ blockhash }) => blockhash)).toEqual(
    expected.map(({ block }) => block.blockhash),
  );
  expect(reader.missing).toEqual([]);
  const blocked = new Set(expected.map(({ block }) => block.slot));
  for (const slot of reader.skipped) expect(blocked).not.toContain(slot);
}

/** The block after which following begins. */
export function anchorAt(step: ChainStep | undefined): ChainPoint {
  return { slot: (step?.block.slot ?? 0) as Slot, blockhash: step?.block.blockhash ?? '' };
}

function stepOf(item: Exclude<SourceItem, { kind: 'problem' }>) {
  if (item.kind !== 'block' && item.kind !== 'facts') return item;
  const links = item.kind === 'block' ? item.block : item.facts;
  const { slot, blockhash, parentSlot, previousBlockhash } = links;
  if (blockhash === null || parentSlot === null || previousBlockhash === null) {
    throw new Error(`slot ${slot} is not linked`);
  }
  const block: BlockLink = { slot, blockhash, parentSlot, previousBlockhash };
  return { kind: 'block', block } as const;
}
