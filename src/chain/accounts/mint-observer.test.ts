import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { bytesOf } from '../../../simulator/chain/keyring.ts';
import { CALM, type FaultSettings } from '../../../simulator/faces/node/fault-settings.ts';
import { Faults } from '../../../simulator/faces/node/faults.ts';
import { SimulatedNode } from '../../../simulator/faces/node/simulated-node.ts';
import { toChainBlock } from '../../../simulator/faces/to-chain-block.ts';
import type { ChainStep } from '../../../simulator/market/world.ts';
import type { MetaplexMetadata } from '../../../simulator/programs/metaplex.ts';
import { mintMetadataOf } from '../../../simulator/programs/token-2022.ts';
import { createSimulation, type Simulation } from '../../../simulator/simulation.ts';
import { eventfulMarket } from '../../../tests/support/eventful-market.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { decodeBlock } from '../../decoders/decode-block.ts';
import { attachObservations } from '../../engine/attach-observations.ts';
import { Engine } from '../../engine/engine.ts';
import { offerUnborn } from '../../ingestion/account-observer.ts';
import { monotonicClock } from '../../lib/clock.ts';
import { METAPLEX_METADATA_PROGRAM } from '../../model/program.ts';
import type { SlotFacts } from '../../model/slot-facts.ts';
import type { TokenRecord } from '../../model/token-record.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { decodeSlotFacts, encodeSlotFacts } from '../../store/codecs/facts-codec.ts';
import { parseEndpoints } from '../rpc/nodes/endpoint.ts';
import { NodePool } from '../rpc/nodes/node-pool.ts';
import { RpcNode } from '../rpc/nodes/rpc-node.ts';
import { RPC_TUNING } from '../rpc/nodes/rpc-options.ts';
import { MintObserver } from './mint-observer.ts';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A market that has run for a while on a node, and a fold that begins only now. */
class LateStart {
  readonly simulation: Simulation;
  readonly node: SimulatedNode;
  readonly observer: MintObserver;
  readonly engine = new Engine({ fallbackSolUsd: null });
  /** The applied facts, observations included. */
  readonly log: SlotFacts[] = [];
  private readonly steps: ChainStep[];

  private constructor(
    simulation: Simulation,
    node: SimulatedNode,
    port: number,
    steps: ChainStep[],
  ) {
    this.simulation = simulation;
    this.node = node;
    this.steps = steps;
    const parsed = parseEndpoints(`http://127.0.0.1:${port}`);
    if (parsed.status === 'refused') throw new Error(parsed.message);
    const shared = { clock: monotonicClock, random: Math.random };
    const nodes = parsed.endpoints.map(
      (endpoint) => new RpcNode(endpoint, { ...shared, ...RPC_TUNING, requestsPerSecond: 500 }),
    );
    const tuning = { idleMs: 2, restMs: 0, backoffMs: 2, backoffMaxMs: 20, ...TUNING };
    this.observer = new MintObserver({ ...shared, nodes: new NodePool(nodes, 50), tuning });
  }

  static async begin(seed: string, before: number, settings: Partial<FaultSettings> = {}) {
    const market = createSimulation({ ...eventfulMarket(seed), forkRate: 0, votesPerBlock: 0 });
    const taken: ChainStep[] = [];
    const simulation: Simulation = {
      ...market,
      step: () => {
        const step = market.step();
        if (step?.isCanonical === true) taken.push(step);
        return step;
      },
    };
    const faults = new Faults(CALM);
    const node = new SimulatedNode({ simulation, genesisHash: 'x', faults });
    const port = await node.listen(0);
    for (let slots = 0; slots < before; slots++) node.advance();
    taken.splice(0);
    faults.change(settings);
    const start = new LateStart(simulation, node, port, taken);
    const ending = new AbortController();
    const running = start.observer.run(ending.signal);
    endings.push(async () => {
      ending.abort();
      await running;
      await node.close();
    });
    return start;
  }

  /** Advances by a number of slots; the fold stays `lag` blocks behind the tip. */
  async pass(slots: number, lag: number): Promise<void> {
    for (let passed = 0; passed < slots; passed++) {
      this.node.advance();
      this.foldUpTo(lag);
      await delay(2);
    }
  }

  /** Runs until nothing is requested or waiting. */
  async settle(lag: number): Promise<void> {
    const { observer } = this;
    for (let rounds = 0; rounds < 200; rounds++) {
      const { waiting, ready, calls } = observer.status;
      await delay(30);
      await this.pass(1, lag);
      const { status } = observer;
      if (waiting + ready + status.waiting + status.ready === 0 && calls === status.calls) return;
    }
    throw new Error(`not settled: ${JSON.stringify(observer.status)}`);
  }

  foldUpTo(lag: number): void {
    while (this.steps.length > lag) {
      const step = this.steps.shift();
      if (step !== undefined) this.fold(decodeBlock(toChainBlock(step.block)));
    }
  }

  private fold(decoded: SlotFacts): void {
    const facts = attachObservations(decoded, this.observer.take(decoded.slot));
    this.log.push(facts);
    offerUnborn(this.observer, { facts, changes: this.engine.apply(facts) });
  }

  /** Tokens of the fold that were created before the log. */
  get olderTokens(): TokenRecord[] {
    const mints = new Set<Address>();
    for (const { transactions } of this.log) {
      for (const { events } of transactions) {
        for (const event of events) if (event.kind === 'swap') mints.add(event.baseMint);
      }
    }
    return [...mints]
      .map((mint) => this.engine.token(mint))
      .filter((token) => token !== null)
      .filter(({ creationSlot }) => creationSlot === null);
  }

  /** The simulator's current ledger state of a mint. */
  truth(mint: Address) {
    const { chain, keyring } = this.simulation.world;
    const account = chain.ledger.get(mint);
    const state = chain.ledger.mint(mint);
    const program = METAPLEX_METADATA_PROGRAM;
    const metaplex = chain.ledger.get(
      keyring.derived(program, 'metadata', bytesOf(program), bytesOf(mint)),
    ).state as MetaplexMetadata | null;
    const own = mintMetadataOf(account);
    const text = own?.text ?? metaplex?.text ?? null;
    return {
      mint,
      tokenProgram: account.program,
      supplyRaw: state.supplyRaw,
      decimals: state.decimals,
      mintAuthority: state.mintAuthority,
      freezeAuthority: state.freezeAuthority,
      name: text?.name.trim() ?? null,
      symbol: text?.symbol.trim() ?? null,
      uri: text?.uri ?? null,
      updateAuthority: own === null ? (metaplex?.updateAuthority ?? null) : own.updateAuthority,
    };
  }
}

const TUNING = { triesMax: 5 };

function foldedState(token: TokenRecord) {
  const { mint, tokenProgram, supplyRaw, decimals, mintAuthority, freezeAuthority } = token;
  const { name, symbol, metadata } = token;
  const { uri = null, updateAuthority = null } = metadata ?? {};
  const account = { mint, tokenProgram, supplyRaw, decimals, mintAuthority, freezeAuthority };
  return { ...account, name, symbol, uri, updateAuthority };
}

function expectTruth(start: LateStart): void {
  const tokens = start.olderTokens;
  expect(tokens.length).toBeGreaterThan(15);
  expect(tokens.filter(({ name }) => name !== null).length).toBeGreaterThan(10);
  for (const token of tokens) expect(foldedState(token)).toEqual(start.truth(token.mint));
}

describe('tokens older than the log', () => {
  test('get names, supplies and authorities of the ledger when the fold is at the tip', async () => {
    const start = await LateStart.begin('older', 250);
    await start.pass(80, 0);
    await start.settle(0);
    expectTruth(start);
    // The node's confirmed slot is behind the fold's: later events were applied to the observation.
    const behind = start.log.flatMap(({ slot, observations = [] }) =>
      observations.filter(({ contextSlot }) => contextSlot < slot),
    );
    expect(behind.length).toBeGreaterThan(0);
  });

  test('get the same when the fold is far behind: observations wait for their slot', async () => {
    const start = await LateStart.begin('behind', 250);
    await start.pass(80, 30);
    expect(start.observer.status.ready).toBeGreaterThan(0);
    await start.settle(30);
    start.foldUpTo(0);
    await start.settle(0);
    expectTruth(start);
  });

  test('get the same despite answers that fail, lie or are cut off', async () => {
    const settings = { html: 0.1, truncatedJson: 0.1, wrongTypes: 0.1, cut: 0.1 };
    const start = await LateStart.begin('faults', 250, settings);
    await start.pass(80, 0);
    start.node.faults.change(CALM);
    await start.settle(0);
    expectTruth(start);
    expect(start.observer.status.failedCalls).toBeGreaterThan(0);
  });

  test('follow from the stored log alone when it is replayed', async () => {
    const start = await LateStart.begin('again', 200);
    await start.pass(80, 0);
    await start.settle(0);
    const replayed = new Engine({ fallbackSolUsd: null });
    for (const facts of start.log) replayed.apply(decodeSlotFacts(encodeSlotFacts(facts)));
    expect(start.log.some(({ observations }) => observations !== undefined)).toBe(true);
    expect(replayed.digest()).toBe(start.engine.digest());
  });
});

describe('a mint observer', () => {
  test('reads again what it observed in reverted slots, and returns earlier observations again', async () => {
    const start = await LateStart.begin('undo', 150);
    const { observer } = start;
    await start.pass(60, 0);
    await start.settle(0);
    const [first] = start.log.flatMap(({ observations = [] }) => observations);
    if (first === undefined) throw new Error('nothing was read');
    observer.revert(first.contextSlot, [first]);
    expect(observer.take(asSlot(first.contextSlot - 1))).toEqual([]);
    expect(observer.take(first.contextSlot)).toEqual([first]);
    observer.revert(asSlot(first.contextSlot - 1), [first]);
    expect([observer.status.waiting, observer.status.ready]).toEqual([1, 0]);
    await start.settle(0);
    const readings = start.log.flatMap(({ observations = [] }) => observations);
    expect(
      readings.filter(({ kind, mint }) => kind === first.kind && mint === first.mint),
    ).toHaveLength(2);
  });

  test('drops a mint without an account, and requests no text that is not an address', async () => {
    const start = await LateStart.begin('absent', 5);
    const { observer } = start;
    const absent = start.simulation.world.keyring.account();
    observer.offer([absent, named('not an address')], asSlot(0), false);
    expect(observer.status.waiting).toBe(1);
    for (let waited = 0; waited < 400 && observer.status.dropped === 0; waited++) await delay(5);
    expect(observer.dropped).toMatchObject([{ reason: 'there is no such account' }]);
    expect(observer.status).toMatchObject({ waiting: 0, calls: TUNING.triesMax });
  });
});
