import { expect, it } from 'vitest';
import type { Clock } from '../../../lib/clock.ts';
import { asSlot } from '../../../model/units.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import { createNodePool } from '../nodes/create-node-pool.ts';
import { parseEndpoints } from '../nodes/endpoint.ts';
import { RPC_TUNING } from '../nodes/rpc-options.ts';
import { ChainLog } from '../tasks/chain-log.ts';
import { Inbox } from '../tasks/inbox.ts';
import { BlockComparison } from './block-comparison.ts';

const PATIENCE_MS = 10_000;

interface Circumstances {
  readonly hasStream?: boolean;
  readonly mode?: 'all' | 'sample';
  /** The number that decides on the sample. */
  readonly draw?: number;
}

/** A comparison with nodes that never answer, and with a stream unless it is left out. */
function comparisonWith(
  urls: string,
  clock: Clock,
  { hasStream = true, mode = 'all', draw = 0 }: Circumstances = {},
) {
  const parsed = parseEndpoints(urls);
  const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
  const random = () => draw;
  const log = new ChainLog({ anchor: null, gaps: [], origin: () => '', judge: () => null });
  const options = {
    pool: createNodePool({ endpoints, tuning: RPC_TUNING, clock, random }),
    hasStream,
    fetcher: { fetch: () => new Promise<never>(() => undefined) },
    reading: {
      digestOf: () => 'digest',
      testimonyOf: () => ({ blockhash: '', digest: '', faults: 0 }),
    },
    mode,
    patienceMs: PATIENCE_MS,
    ...{ clock, random, signal: new AbortController().signal },
  } as const;
  return new BlockComparison(options, log, new Inbox(clock));
}

function block(slot: number): LinkedBlock {
  const item = { kind: 'block' } as LinkedBlock['item'];
  const [parentSlot, parent] = [asSlot(slot - 1), `hash ${slot - 1}`];
  const blockhash = `hash ${slot}`;
  return { slot: asSlot(slot), blockhash, parentSlot, previousBlockhash: parent, item };
}

it('delays blocks that arrive faster than they can be compared no longer than its time-out', () => {
  let nowMs = 0;
  const clock: Clock = { nowMs: () => nowMs, sleep: async () => undefined };
  const comparison = comparisonWith('http://one.example/', clock);
  for (let slot = 1; slot <= 40; slot++) comparison.note(block(slot), { label: 'stream' });
  comparison.start();
  nowMs = PATIENCE_MS - 1;
  comparison.start();
  expect(comparison.status).toMatchObject({ waiting: 40, unverified: 0 });
  nowMs = PATIENCE_MS;
  comparison.start();
  // Requests in flight end with their answers.
  expect(comparison.status).toMatchObject({ waiting: 8, unverified: 32 });
  expect(comparison.isOpen(block(8))).toBe(true);
  expect(comparison.isOpen(block(9))).toBe(false);
});

it('compares nothing without a node other than the emitter', () => {
  const clock: Clock = { nowMs: () => 0, sleep: async () => undefined };
  const one = 'http://one.example/';
  expect(comparisonWith(one, clock, { hasStream: false }).canCompare).toBe(false);
  expect(comparisonWith(one, clock).canCompare).toBe(true);
  expect(comparisonWith(`${one},http://two.example/`, clock, { hasStream: false }).canCompare).toBe(
    true,
  );
});

it('compares the blocks drawn for the sample, and all that look odd', () => {
  const clock: Clock = { nowMs: () => 0, sleep: async () => undefined };
  const odd = (slot: number): LinkedBlock => {
    const facts = { problems: [{ problem: 'quarantined' }] };
    return { ...block(slot), item: { kind: 'facts', facts } as unknown as LinkedBlock['item'] };
  };
  const blockWitness = { label: 'stream' };
  const undrawn = comparisonWith('http://one.example/', clock, { mode: 'sample', draw: 0.99 });
  undrawn.note(block(1), blockWitness);
  undrawn.note(odd(2), blockWitness);
  expect([undrawn.isOpen(block(1)), undrawn.isOpen(odd(2))]).toEqual([false, true]);
  expect(undrawn.status).toMatchObject({ waiting: 1, unverified: 1 });
  const drawn = comparisonWith('http://one.example/', clock, { mode: 'sample', draw: 0.05 });
  drawn.note(block(1), blockWitness);
  expect(drawn.status).toMatchObject({ waiting: 1, unverified: 0 });
});
