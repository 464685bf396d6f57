import { expect, test } from 'vitest';
import { asSlot } from '../../../model/units.ts';
import type { LinkedBlock } from '../../block-stream.ts';
import { confirmedPlus } from '../../finality.ts';
import { ChainLog } from './chain-log.ts';

function block(slot: number): LinkedBlock {
  const item = { kind: 'block' } as LinkedBlock['item'];
  const blockhash = `hash ${slot}`;
  const previousBlockhash = `hash ${slot - 1}`;
  return { slot: asSlot(slot), blockhash, parentSlot: asSlot(slot - 1), previousBlockhash, item };
}

function logOf(canCompare: boolean): ChainLog {
  const log = new ChainLog({
    anchor: { slot: asSlot(0), blockhash: 'hash 0' },
    gaps: [],
    origin: () => 'node',
    judge: () => ({
      canCompare,
      note: () => undefined,
      isOpen: () => false,
      isDisputed: () => false,
    }),
  });
  log.open(confirmedPlus());
  for (const slot of [1, 2, 3]) log.accept(block(slot), { label: 'node' });
  return log;
}

test('a log keeps its blocks only while others could contradict them', () => {
  expect(logOf(true).keptBlocks).toBe(3);
  expect(logOf(false).keptBlocks).toBe(0);
});
