import { expect, test } from 'vitest';
import { asAddress } from '../../../src/model/units.ts';
import type { SimulatedBlock } from '../../chain/simulated-transaction.ts';
import { withChangedPrograms } from './changed-programs.ts';
import { CALM, parseFaults } from './fault-settings.ts';

const POOL = asAddress('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P');
const OTHER = asAddress('11111111111111111111111111111111');
const PAYER = asAddress('pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA');

/** A block with one transaction, whose pool is the last of its keys, loaded from a table. */
function blockAt(slot: number): SimulatedBlock {
  const instruction = (programIndex: number, data: readonly number[]) => ({
    outerIx: 0,
    innerIx: -1,
    stackHeight: 1,
    programIndex,
    accountIndexes: [0],
    data: Uint8Array.from(data),
  });
  return {
    slot,
    transactions: [
      {
        isVote: false,
        staticKeys: [PAYER, OTHER],
        loadedWritable: [],
        loadedReadonly: [POOL],
        instructions: [
          instruction(1, [2, 0, 0, 0]),
          instruction(2, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
          instruction(2, [7]),
        ],
      },
    ],
  } as unknown as SimulatedBlock;
}

const dataOf = (block: SimulatedBlock) =>
  block.transactions.flatMap(({ instructions }) => instructions.map(({ data }) => [...data]));

const UNKNOWN = [0xc0, 0xff, 0xee, 0xc0, 0xff, 0xee, 0, 1];

test('a changed program has other first bytes in its slots, and no other program has', () => {
  const programs = { [POOL]: { fromSlot: 5, toSlot: 6 } };
  const before = dataOf(blockAt(4));
  expect(dataOf(withChangedPrograms(blockAt(4), programs))).toEqual(before);
  expect(dataOf(withChangedPrograms(blockAt(7), programs))).toEqual(before);
  for (const slot of [5, 6]) {
    expect(dataOf(withChangedPrograms(blockAt(slot), programs))).toEqual([
      [2, 0, 0, 0],
      [...UNKNOWN, 9, 10],
      UNKNOWN,
    ]);
  }
  const going = { [POOL]: { fromSlot: 5, toSlot: null } };
  expect(dataOf(withChangedPrograms(blockAt(1_000_000), going))).not.toEqual(before);
});

test('the fault settings accept programs by address with slots, and nothing else', () => {
  const read = (changedPrograms: unknown) => parseFaults({ changedPrograms }).kind;
  expect(read({ [POOL]: { fromSlot: 5, toSlot: null } })).toBe('settings');
  expect(read({})).toBe('settings');
  for (const wrong of [
    [],
    7,
    { pump: { fromSlot: 1, toSlot: null } },
    { [POOL]: 5 },
    { [POOL]: { fromSlot: -1, toSlot: null } },
    { [POOL]: { fromSlot: 1 } },
  ]) {
    expect(read(wrong)).toBe('refused');
  }
  expect(CALM.changedPrograms).toEqual({});
});
