import { expect, test } from 'vitest';
import type { Clock } from '../../../lib/clock.ts';
import { asSlot, type Slot } from '../../../model/units.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import { createNodePool } from '../nodes/create-node-pool.ts';
import { parseEndpoints } from '../nodes/endpoint.ts';
import { RPC_TUNING } from '../nodes/rpc-options.ts';
import { ChainLog } from '../tasks/chain-log.ts';
import { Inbox } from '../tasks/inbox.ts';
import { BlockComparison } from './block-comparison.ts';

function block(slot: number): LinkedBlock {
  const links = { parentSlot: asSlot(slot - 1), previousBlockhash: `hash ${slot - 1}` };
  const item = { kind: 'block' } as LinkedBlock['item'];
  return { slot: asSlot(slot), blockhash: `hash ${slot}`, ...links, item };
}

test('no emitter of a disputed block fills its gap alone while another witness contradicts it', async () => {
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const parsed = parseEndpoints('http://one.example/');
  const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
  const random = () => 0;
  let hasBlock = true;
  const options = {
    pool: createNodePool({ endpoints, tuning: RPC_TUNING, clock, random }),
    fetcher: {
      fetch: async ({ slot }: { readonly slot: Slot }) => {
        const blockhash = hasBlock ? `hash ${slot}` : 'of another branch';
        const testimony = { blockhash, digest: 'another', faults: 0 };
        return { status: 'testified', testimony } as const;
      },
    },
    reading: {
      digestOf: () => 'reported first',
      testimonyOf: () => ({ blockhash: '', digest: '', faults: 0 }),
    },
    mode: 'all',
    hasStream: true,
    ...{ patienceMs: 10_000, clock, random, signal: new AbortController().signal },
  } as const;
  const log = new ChainLog({ anchor: null, gaps: [], origin: () => '', judge: () => null });
  const inbox = new Inbox(clock);
  const comparison = new BlockComparison(options, log, inbox);
  const blockWitness = { label: 'stream' };
  comparison.note(block(7), blockWitness);
  comparison.start();
  for (let turn = 0; comparison.isOpen(block(7)) && turn < 1_000; turn++) {
    await new Promise(setImmediate);
    inbox.deliver();
  }
  expect(comparison.status).toMatchObject({ undecided: 1, waiting: 0 });
  hasBlock = false;
  expect(await comparison.confirm(block(7), blockWitness)).toBeNull();
  expect(await comparison.confirm(block(8), blockWitness)).toEqual(block(8));
  expect(comparison.status).toMatchObject({ undecided: 1, unverified: 2 });
});
