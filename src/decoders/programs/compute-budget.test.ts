import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../model/program.ts';

test.each([
  ['RequestUnits', [0], 'ignored'],
  ['RequestHeapFrame', [1], 'ignored'],
  ['SetComputeUnitLimit', [2], 'ignored'],
  ['SetComputeUnitPrice', [3], 'ignored'],
  ['SetLoadedAccountsDataSizeLimit', [4], 'ignored'],
  ['an unknown tag', [5], 'unknown'],
  ['nothing', [], 'malformed'],
])('the compute budget program: %s', (_, data, status) => {
  const draft = { program: COMPUTE_BUDGET_PROGRAM, data: Uint8Array.from(data) };
  expect(decodeDraft({ signers: [address('wallet')], instructions: [draft] }).status).toBe(status);
});
