import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Faults } from '../../simulator/faces/node/faults.ts';
import { SimulatedNode } from '../../simulator/faces/node/simulated-node.ts';
import type { ChainStep } from '../../simulator/market/world.ts';
import { createSimulation } from '../../simulator/simulation.ts';
import { PRESETS } from '../../simulator/simulation-presets.ts';
import { RunningCommand, temporaryFolder } from '../support/command-line.ts';
import { listenHttp, type TestServer } from '../support/stranger-listeners.ts';

const KEY = 'venue-drift-test-key';
const PUMP = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
/** The discriminator that the simulated node writes instead of the known ones. */
const UNKNOWN = 'c0ffeec0ffee0001';
/** Slots before the program changes: the baseline of the alarm, and slots not final yet. */
const CALM_SLOTS = 350;
const SLOT_MS = 40;
const WAIT_MS = 200_000;

interface Received {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly program: string;
    readonly measure: string;
    readonly state: string;
    readonly since_slot: number;
    readonly slot: number;
    readonly recent: { readonly share: string };
    readonly past: { readonly share: string };
    readonly examples: readonly { readonly what: string; readonly signature: string }[];
  };
}

/** The started service follows a node where one program changes and changes back. */
describe('a program that changes while the service follows the chain', () => {
  const faults = new Faults();
  const simulation = createSimulation({ ...PRESETS.market, seed: 'drift', launchesPerHour: 1_800 });
  const steps: ChainStep[] = [];
  const node = new SimulatedNode({
    simulation: {
      world: simulation.world,
      step: () => {
        const step = simulation.step();
        if (step !== null) steps.push(step);
        return step;
      },
    },
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    windowSlots: 2_000,
    faults,
  });
  const received: Received[] = [];
  let receiver: TestServer;
  let server: RunningCommand;
  let url = '';
  let passing: NodeJS.Timeout;

  beforeAll(async () => {
    receiver = await listenHttp((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push(JSON.parse(body) as Received);
        response.writeHead(200).end();
      });
    });
    while (steps.length < 64) node.advance();
    const port = await node.listen(0);
    server = new RunningCommand(
      ['start', '--port', '0', '--data-dir', `${temporaryFolder()}/data`],
      {
        SOLANA_RPC_URL: `http://127.0.0.1:${port}/`,
        MINTSCOPE_BOOTSTRAP_KEY: KEY,
        MINTSCOPE_OFFCHAIN: 'off',
        MINTSCOPE_RPC_REQUESTS_PER_SECOND: '1000',
        // The simulated chain's time is of the first of 2026.
        MINTSCOPE_LAG_MAX_SECONDS: '99999999',
        MINTSCOPE_WEBHOOK_PRIVATE_ORIGINS: `http://127.0.0.1:${receiver.port}`,
      },
    );
    [, url = ''] = await server.shows(/(http:\S+)\/readyz/);
    await server.shows(/following the chain/);
  }, WAIT_MS);

  afterAll(async () => {
    clearInterval(passing);
    server.process.kill('SIGKILL');
    await server.finished;
    await node.close();
    await receiver.close();
  });

  const tip = () => steps.at(-1)?.block.slot ?? 0;
  const until = (check: () => unknown) => vi.waitFor(check, { timeout: WAIT_MS, interval: 100 });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      ...init,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    });

  async function venues() {
    const answer = await ask('/readyz');
    const { checks } = (await answer.json()) as {
      checks?: Record<string, { ok: boolean; detail: string }>;
    };
    return { status: answer.status, venues: checks?.venues };
  }

  const alarmMetric = async () => {
    const page = await (await ask('/metrics')).text();
    return /venue_drift_alarm\{program="pump",measure="unknown"\} (\d)/.exec(page)?.[1];
  };

  test(
    'raises no alarm before the change',
    async () => {
      const added = await ask('/v1/webhooks', {
        method: 'POST',
        body: JSON.stringify({
          url: `http://127.0.0.1:${receiver.port}/`,
          event_types: ['venue.changed'],
        }),
      });
      expect(added.status).toBe(201);
      const first = tip();
      passing = setInterval(() => node.advance(), SLOT_MS);
      await until(() => expect(tip()).toBeGreaterThan(first + CALM_SLOTS));
      await until(async () => expect(await alarmMetric()).toBe('0'));
      expect(await venues()).toEqual({ status: 200, venues: { ok: true, detail: 'none changed' } });
    },
    WAIT_MS,
  );

  test(
    'is reported by /readyz, the metrics, the log and a webhook, and the service stays ready',
    async () => {
      const fromSlot = tip() + 5;
      const changedPrograms = { [PUMP]: { fromSlot, toSlot: null } };
      expect(faults.change({ changedPrograms }).kind).toBe('settings');
      await until(() => expect(received).toHaveLength(1));
      const [began] = received;
      expect(began).toMatchObject({
        type: 'venue.changed',
        data: { program: 'pump', measure: 'unknown', state: 'began', past: { share: '0.0000' } },
      });
      const { slot = 0, since_slot: since = 0, recent, examples = [] } = began?.data ?? {};
      // The first of pump's instructions from that slot on, reported at most 150 slots later.
      expect(since).toBe(firstWith(fromSlot));
      expect(slot - fromSlot).toBeLessThanOrEqual(150);
      expect(Number(recent?.share)).toBeGreaterThan(0.01);
      expect(examples[0]?.what).toBe(`unknown discriminator ${UNKNOWN}`);
      const example = steps.find(({ block }) => block.slot === since)?.block.transactions;
      expect(example?.map(({ signatures }) => signatures[0])).toContain(examples[0]?.signature);

      const { status, venues: check } = await venues();
      expect([status, check?.ok]).toEqual([200, false]);
      expect(check?.detail).toMatch(
        new RegExp(`^pump since slot ${since}: [0-9.]+ % of instructions unknown, 0.00 % before `),
      );
      expect(check?.detail).toContain(UNKNOWN);
      expect(await alarmMetric()).toBe('1');
      await server.shows(/a program has changed: pump since slot/);
    },
    WAIT_MS,
  );

  test(
    'ends when the program changes back',
    async () => {
      const [[program, { fromSlot }] = ['', { fromSlot: 0 }]] = Object.entries(
        faults.settings.changedPrograms,
      );
      const toSlot = tip() + 5;
      expect(faults.change({ changedPrograms: { [program]: { fromSlot, toSlot } } }).kind).toBe(
        'settings',
      );
      await until(() => expect(received).toHaveLength(2));
      const [began, ended] = received;
      expect(ended?.data).toMatchObject({
        program: 'pump',
        measure: 'unknown',
        state: 'ended',
        since_slot: began?.data.since_slot,
      });
      // The alarm lasts until the recent window contains nothing of the change.
      expect(ended?.data.slot).toBeGreaterThan(toSlot + 100);
      expect(await venues()).toEqual({ status: 200, venues: { ok: true, detail: 'none changed' } });
      expect(await alarmMetric()).toBe('0');
      await server.shows(/a program is as before again: pump since slot/);
    },
    WAIT_MS,
  );

  /** The first slot at or after `fromSlot` where a successful transaction calls the program. */
  function firstWith(fromSlot: number): number {
    const step = steps.find(
      ({ block, isCanonical }) =>
        isCanonical &&
        block.slot >= fromSlot &&
        block.transactions.some(
          ({ isVote, error, staticKeys, loadedReadonly, loadedWritable, instructions }) => {
            const keys = [...staticKeys, ...loadedWritable, ...loadedReadonly];
            const isCalled = instructions.some(({ programIndex }) => keys[programIndex] === PUMP);
            return !isVote && error === null && isCalled;
          },
        ),
    );
    return step?.block.slot ?? 0;
  }
});
