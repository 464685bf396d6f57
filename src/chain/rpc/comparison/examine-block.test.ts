import { expect, test } from 'vitest';
import type { Clock } from '../../../lib/clock.ts';
import type { SlotFacts } from '../../../model/slot-facts.ts';
import { asSlot } from '../../../model/units.ts';
import type { BlockAnswer, BlockFetcher } from '../nodes/block-fetcher.ts';
import { createNodePool } from '../nodes/create-node-pool.ts';
import { parseEndpoints } from '../nodes/endpoint.ts';
import { RPC_TUNING } from '../nodes/rpc-options.ts';
import { examineBlock } from './examine-block.ts';

const SLOT = asSlot(7);

/**
 * A node's answer: which block it returns, and its content, as testimony and as the block itself.
 */
interface Said {
  readonly blockhash: string;
  readonly testifies: string;
  readonly gives: string;
}

/** Facts of which only the links matter; the digest is stored in place of the problems. */
function factsOf({ blockhash, gives }: Said): SlotFacts {
  const links = { slot: SLOT, blockhash, parentSlot: SLOT - 1, previousBlockhash: 'before' };
  return { ...links, problems: gives } as unknown as SlotFacts;
}

/** Examines the block `hash`, which a stream emitted as `first`; `nodes` answer in this order. */
async function examine(first: string, nodes: Readonly<Record<string, Said>>) {
  let nowMs = 0;
  const clock: Clock = {
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
  const fetcher: BlockFetcher = {
    fetch: async ({ origin, wants }): Promise<BlockAnswer> => {
      const said = Object.entries(nodes).find(([name]) => origin.includes(name))?.[1];
      if (said === undefined) throw new Error(`nobody is called ${origin}`);
      if (wants === 'facts') return { status: 'decoded', facts: factsOf(said) };
      const { blockhash, testifies: digest } = said;
      return { status: 'testified', testimony: { blockhash, digest, faults: 0 } };
    },
  };
  const parsed = parseEndpoints(
    Object.keys(nodes)
      .map((name) => `http://${name}.example/`)
      .join(','),
  );
  const endpoints = parsed.status === 'ok' ? parsed.endpoints : [];
  const pool = createNodePool({ endpoints, tuning: RPC_TUNING, clock, random: () => 0 });
  const reading = {
    digestOf: (item: { readonly kind: string; readonly facts?: SlotFacts }) =>
      String(item.facts?.problems),
    testimonyOf: () => ({ blockhash: '', digest: '', faults: 0 }),
  };
  const { signal } = new AbortController();
  const point = { slot: SLOT, blockhash: 'hash' };
  const subject = { point, digest: first, blockWitness: { label: 'stream' }, untilMs: 10_000 };
  return examineBlock(subject, { pool, fetcher, reading, clock, signal });
}

test('a node on another branch states nothing about the block', async () => {
  const one = { blockhash: 'other', testifies: 'right', gives: 'right' };
  expect(await examine('wrong', { one })).toEqual({ kind: 'unverified' });
});

test('a block is replaced by the majority version, whichever node returns it then', async () => {
  const honest = { blockhash: 'hash', testifies: 'right', gives: 'right' };
  const verdict = await examine('wrong', { one: { ...honest, gives: 'damaged' }, two: honest });
  expect(verdict).toMatchObject({
    kind: 'corrected',
    block: { slot: SLOT, blockhash: 'hash', item: { facts: { problems: 'right' } } },
    refuted: [{ blockWitness: { label: 'stream' } }],
  });
});

test('a block that no node returns in the agreed version stays undecided', async () => {
  const fickle = { blockhash: 'hash', testifies: 'right', gives: 'damaged' };
  expect(await examine('wrong', { one: fickle, two: fickle })).toMatchObject({ kind: 'undecided' });
});
