import { describe, expect, it } from 'vitest';
import { monotonicClock } from '../../../lib/clock.ts';
import { asSlot } from '../../../model/units.ts';
import { parseEndpoints } from '../nodes/endpoint.ts';
import { codeFailure, type RpcFailure, transportFailure } from '../nodes/rpc-failure.ts';
import { RpcNode } from '../nodes/rpc-node.ts';
import { RPC_TUNING } from '../nodes/rpc-options.ts';
import { hasPruned, SlotTasks } from './slot-tasks.ts';

const OPTIONS = {
  random: () => 1,
  retryBaseMs: 50,
  retryMaxMs: 2_000,
  giveUpAfterMs: 6_000,
  outageGiveUpAfterMs: 60_000,
};

function twoNodes(): readonly [RpcNode, RpcNode] {
  const parsed = parseEndpoints('http://one.example/,http://two.example/');
  const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
  const options = { ...RPC_TUNING, clock: monotonicClock, random: () => 0 };
  const [one, two] = endpoints.map((endpoint) => new RpcNode(endpoint, options));
  if (one === undefined || two === undefined) throw new Error('no nodes');
  return [one, two];
}

const ABSENT = codeFailure(-32007, 'skipped');
const PRUNED = codeFailure(-32001, 'cleaned up');
const CUT = transportFailure('connection', 'cut');

/** The first wanted slot, and each node's answer about it at time 0. */
function wantedSlot(nodes: readonly RpcNode[], answers: readonly RpcFailure[]) {
  const tasks = new SlotTasks(OPTIONS);
  tasks.want([{ slot: asSlot(10), blockhash: 'h' }], 0);
  const [task] = tasks.due(0);
  if (task === undefined) throw new Error('nothing is due');
  answers.forEach((failure, index) => {
    const node = nodes[index];
    if (node !== undefined) tasks.fail(task, node, failure, nodes, 0);
  });
  return tasks;
}

describe('slots to fetch', () => {
  it('tries every node before it waits, then waits longer after each round', () => {
    const nodes = twoNodes();
    const tasks = new SlotTasks(OPTIONS);
    tasks.list(asSlot(10), 0);
    const [task] = tasks.due(0);
    if (task === undefined) throw new Error('nothing is due');
    const waits = [0, 1, 2].map(() => {
      tasks.fail(task, nodes[0], ABSENT, nodes, 0);
      expect([...task.asked]).toEqual([nodes[0]]);
      tasks.fail(task, nodes[1], ABSENT, nodes, 0);
      return task.notBeforeMs;
    });
    expect(waits).toEqual([50, 100, 200]);
  });

  it.each([
    ['all nodes denied it', [ABSENT, ABSENT], 5_999, 6_000],
    ['one of the nodes did not answer', [ABSENT, CUT], 59_999, 60_000],
    ['no node answered', [CUT, CUT], 59_999, 60_000],
  ] as const)('drops a block in time when %s', (_, answers, beforeMs, atMs) => {
    const nodes = twoNodes();
    const tasks = wantedSlot(nodes, answers);
    expect(tasks.abandon(nodes, beforeMs)).toEqual([]);
    const [dropped] = tasks.abandon(nodes, atMs);
    expect(dropped?.point).toEqual({ slot: 10, blockhash: 'h' });
    expect(tasks.size).toBe(0);
  });

  it('drops a block at once that every node has pruned, naming each', () => {
    const nodes = twoNodes();
    const [dropped] = wantedSlot(nodes, [PRUNED, PRUNED]).abandon(nodes, 1);
    expect(dropped?.reason).toContain('one.example: rpc -32001, two.example: rpc -32001');
    const others = twoNodes();
    expect(wantedSlot(others, [PRUNED, ABSENT]).abandon(others, 1)).toEqual([]);
  });

  it('requests no slot from a node that has pruned a later one', () => {
    const nodes = twoNodes();
    wantedSlot(nodes, [PRUNED]);
    expect([9, 10, 11].map((slot) => hasPruned(nodes[0], { slot: asSlot(slot) }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(hasPruned(nodes[1], { slot: asSlot(9) })).toBe(false);
  });

  it('drops nothing while a lower slot may still arrive', () => {
    const nodes = twoNodes();
    const tasks = wantedSlot(nodes, [ABSENT, ABSENT]);
    tasks.list(asSlot(9), 5_000);
    expect(tasks.abandon(nodes, 7_000)).toEqual([]);
    const [lower] = tasks.due(7_000).filter(({ slot }) => slot === 9);
    if (lower === undefined) throw new Error('slot 9 is not due');
    tasks.succeed(lower, nodes[0], 'any', nodes, 7_000);
    expect(tasks.abandon(nodes, 7_000)).toHaveLength(1);
  });

  it('continues when a node has another block in the slot', () => {
    const nodes = twoNodes();
    const tasks = wantedSlot(nodes, []);
    const [task] = tasks.due(0);
    if (task === undefined) throw new Error('nothing is due');
    tasks.succeed(task, nodes[0], 'other', nodes, 0);
    expect(tasks.size).toBe(1);
    tasks.succeed(task, nodes[1], 'h', nodes, 0);
    expect(tasks.size).toBe(0);
  });

  it('forgets slots that are no longer wanted, and fetches wanted ones before listed ones', () => {
    const tasks = new SlotTasks(OPTIONS);
    tasks.list(asSlot(5), 0);
    tasks.want([{ slot: asSlot(10), blockhash: 'h' }], 0);
    expect(tasks.due(0).map(({ slot }) => slot)).toEqual([10, 5]);
    tasks.want([], 0);
    expect(tasks.due(0).map(({ slot }) => slot)).toEqual([5]);
  });
});
