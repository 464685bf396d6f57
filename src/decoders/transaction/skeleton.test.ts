import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import type { AccountKeys } from '../../model/account-keys.ts';
import { Instruction } from '../../model/instruction.ts';
import type { ChainTransaction } from '../../model/transaction.ts';
import { ROUTER_PROGRAMS } from './router-programs.ts';
import { skeletonOf } from './skeleton.ts';

interface Draft {
  readonly program: string;
  readonly data: readonly number[];
  /** Key indexes: 0 the fee payer, 1 another signer, 2 and more neither. */
  readonly accounts: readonly number[];
  readonly innerIx?: number;
}

const SWAP: Draft = { program: address('venue'), data: [9, 1, 2, 3], accounts: [0, 2, 3] };
const BUDGET: Draft = { program: address('budget'), data: [2], accounts: [] };

function skeleton(drafts: readonly Draft[], hasTip = false, people = 'one'): string {
  const accounts = [0, 1, 2, 3, 4].map((at) => address(`${people} ${at}`));
  const programs = [...new Set(drafts.map(({ program }) => program))];
  const keys = { at: (index: number) => [...accounts, ...programs][index] } as AccountKeys;
  const instructions = drafts.map(
    ({ program, data, accounts: own, innerIx = -1 }, index) =>
      new Instruction(
        keys,
        { index, outerIx: index, innerIx, stackHeight: 1 },
        accounts.length + programs.indexOf(program),
        own,
        Uint8Array.from(data),
      ),
  );
  return skeletonOf({ instructions, signerCount: 2 } as unknown as ChainTransaction, hasTip);
}

test('is the same for other people, pools and amounts', () => {
  const own = skeleton([BUDGET, SWAP]);
  expect(own).toMatch(/^[0-9a-f]{16}$/);
  const other = { ...SWAP, data: [9, 7, 7, 7, 7], accounts: [0, 4, 4] };
  expect(skeleton([BUDGET, other], false, 'other')).toBe(own);
});

test.each([
  ['order of the instructions', [SWAP, BUDGET], false],
  ['presence of compute budget', [SWAP], false],
  ['presence of a tip', [BUDGET, SWAP], true],
  ['tag of an instruction', [BUDGET, { ...SWAP, data: [8, 1, 2, 3] }], false],
  ['absence of data', [BUDGET, { ...SWAP, data: [] }], false],
  ['program', [BUDGET, { ...SWAP, program: address('other venue') }], false],
  ['number of accounts', [BUDGET, { ...SWAP, accounts: [0, 2] }], false],
  ['place of the fee payer', [BUDGET, { ...SWAP, accounts: [2, 0, 3] }], false],
  ['another signer', [BUDGET, { ...SWAP, accounts: [0, 1, 3] }], false],
] as const)('differs by the %s', (_, drafts, hasTip) => {
  expect(skeleton(drafts, hasTip)).not.toBe(skeleton([BUDGET, SWAP]));
});

test('leaves out inner instructions, and the accounts of a route', () => {
  expect(skeleton([BUDGET, SWAP, { ...SWAP, innerIx: 0 }])).toBe(skeleton([BUDGET, SWAP]));
  const route = { program: ROUTER_PROGRAMS.jupiter_v6, data: [1], accounts: [0, 2] };
  expect(skeleton([{ ...route, accounts: [0, 2, 3, 4] }])).toBe(skeleton([route]));
});
