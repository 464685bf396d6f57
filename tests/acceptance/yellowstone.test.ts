import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import { withYellowstone, YellowstoneFace } from '../../simulator/faces/node/yellowstone-face.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { readConfig } from '../../src/config/config.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { openService } from '../../src/service/app.ts';
import { encodeSlotFacts } from '../../src/store/codecs/facts-codec.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { eventfulMarket } from '../support/eventful-market.ts';
import { WatchedFaults } from '../support/followed-chain.ts';
import { storedRows } from '../support/stored-rows.ts';

const KEY = 'yellowstone-test-key';
const TOKEN = 'yellowstone-test-token';
const FALLBACK = '150';
/** Within a test's time, so that a failure says what the service wrote. */
const REACHED_WITHIN_MS = 300_000;
/** Tables whose rows may depend on account observations. */
const OBSERVED_TABLES = ['slot_log', 'tokens'];

const root = temporaryFolder();
const faults = new WatchedFaults();
const face = new YellowstoneFace({ token: TOKEN, limits: { replaySlots: 280 } });
const simulation = createSimulation({ ...eventfulMarket('streamed'), votesPerBlock: 3 });
const steps: ChainStep[] = [];
const recorded = {
  world: simulation.world,
  step: () => {
    const step = simulation.step();
    if (step !== null) steps.push(step);
    return step;
  },
};
const node = new SimulatedNode({
  simulation: withYellowstone(recorded, face),
  genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  windowSlots: 1_000,
  faults,
});
let rpcUrl = '';
let streamUrl = '';

beforeAll(async () => {
  for (let slots = 0; slots < 80; slots++) node.advance();
  rpcUrl = `http://127.0.0.1:${await node.listen(0)}/`;
  streamUrl = `http://127.0.0.1:${await face.listen(0)}`;
});
afterAll(async () => {
  face.close();
  await node.close();
});

/** The newest block with 32 slots after it, counted from the newest confirmed one. */
function expectedFinalSlot(): number {
  const slots = steps.filter(({ isCanonical }) => isCanonical).map(({ block }) => block.slot);
  const tip = steps.at(-1)?.block.slot ?? 0;
  const head = slots.findLast((slot) => slot < tip) ?? 0;
  return slots.findLast((slot) => slot <= head - 32) ?? 0;
}

/** Follows while `slots` pass and until all that can be final is; returns the log lines. */
async function follow(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  slots: number,
  args: readonly string[] = [],
): Promise<string> {
  const service = new RunningCommand(['start', '--port', '0', '--data-dir', dataDir, ...args], {
    MINTSCOPE_BOOTSTRAP_KEY: KEY,
    MINTSCOPE_SOL_USD_FALLBACK: FALLBACK,
    MINTSCOPE_RPC_REQUESTS_PER_SECOND: '500',
    // The simulated market is in the past.
    MINTSCOPE_LAG_MAX_SECONDS: '999999999',
    ...environment,
  });
  const [, url = ''] = await service.shows(/listens on (http:\S+);/);
  const get = async (path: string) =>
    await (await fetch(url + path, { headers: { 'x-api-key': KEY } })).text();
  const reach = async (awaited: RegExp) => {
    const deadline = performance.now() + REACHED_WITHIN_MS;
    for (;;) {
      const metrics = await get('/metrics');
      if (awaited.test(metrics)) return;
      if (performance.now() > deadline) {
        throw new Error(`${awaited} was not reached:\n${service.output}\n${metrics}`);
      }
      await pause(100);
    }
  };
  await service.shows(/following the chain/);
  // It begins at the finalized slot of that moment: what passed before would be missing in its log.
  await reach(/^mintscope_slot [1-9]/m);
  for (let passed = 0; passed < slots; passed++) {
    node.advance();
    await pause(30);
  }
  await reach(new RegExp(`^mintscope_final_slot ${expectedFinalSlot()}$`, 'm'));
  const ready = await get('/readyz');
  service.process.kill('SIGTERM');
  const { exitCode, stderr, stdout } = await service.finished;
  expect(exitCode, stderr).toBe(0);
  return `${stdout}\n${stderr}\n${ready}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The stored log without account observations: when accounts are read depends on the machine. */
async function logOf(dataDir: string): Promise<{ facts: string[]; observations: number }> {
  const service = await openService(readConfig({}, { dataDir, solUsdFallback: FALLBACK }));
  const facts: string[] = [];
  let observations = 0;
  for await (const slot of service.store.log.read()) {
    observations += slot.observations?.length ?? 0;
    const { observations: _, ...seen } = slot;
    facts.push(encodeSlotFacts(seen as SlotFacts));
  }
  await service.close();
  return { facts, observations };
}

describe('start with a Yellowstone server', () => {
  test('stores the same rows as through RPC nodes, without any RPC request', async () => {
    const throughNodes = join(root, 'nodes');
    const streamed = join(root, 'stream');
    await follow(throughNodes, { SOLANA_RPC_URL: rpcUrl }, 20);
    cpSync(throughNodes, streamed, { recursive: true });

    faults.arrivalsMs.length = 0;
    const stream = { MINTSCOPE_YELLOWSTONE_TOKEN: TOKEN };
    const output = await follow(streamed, stream, 120, ['--yellowstone-url', streamUrl]);
    expect(faults.arrivalsMs).toEqual([]);
    expect(output.match(/no RPC node is configured/g)).toHaveLength(1);
    expect(output).toMatch(/stream of 127\.0\.0\.1:\d+: brings blocks, interrupted 0 times/);
    expect(output).not.toContain(TOKEN);
    await follow(throughNodes, { SOLANA_RPC_URL: rpcUrl }, 0);

    const [one, other] = [await logOf(throughNodes), await logOf(streamed)];
    expect(one.facts.length).toBeGreaterThan(100);
    expect(other.facts).toEqual(one.facts);
    const [rows, streamedRows] = [await storedRows(throughNodes), await storedRows(streamed)];
    for (const name of Object.keys(rows)) {
      if (!OBSERVED_TABLES.includes(name))
        expect([name, streamedRows[name]]).toEqual([name, rows[name]]);
    }
  });

  test('stores account observations of tokens older than the log, read from the nodes', async () => {
    const dataDir = join(root, 'observed');
    await follow(dataDir, { SOLANA_RPC_URL: rpcUrl }, 150);
    expect((await logOf(dataDir)).observations).toBeGreaterThan(0);
  });

  test('reports a client that is not installed, and a token given on the command line', async () => {
    const dataDir = join(root, 'refused');
    const base = ['start', '--port', '0', '--data-dir', dataDir, '--yellowstone-url', streamUrl];
    const native = await new RunningCommand([...base, '--yellowstone-client', 'native']).finished;
    expect(native.stderr).toContain('npm install @triton-one/yellowstone-grpc');
    expect(native.exitCode).toBe(2);
    const spoken = await new RunningCommand([...base, '--yellowstone-token', 'x']).finished;
    expect(spoken.stderr).toContain('--yellowstone-token is no option');
    expect(spoken.stderr).toContain('set MINTSCOPE_YELLOWSTONE_TOKEN');
    expect(spoken.exitCode).toBe(2);
  });
});
