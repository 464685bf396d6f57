import { expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../../model/program.ts';

test.each([
  ['Create in its first form', [], 'ignored'],
  ['Create', [0], 'ignored'],
  ['CreateIdempotent', [1], 'ignored'],
  ['RecoverNested', [2], 'ignored'],
  ['an unknown tag', [3], 'unknown'],
])('the associated token program: %s', (_, data, status) => {
  const draft = { program: ASSOCIATED_TOKEN_PROGRAM, data: Uint8Array.from(data) };
  expect(decodeDraft({ signers: [address('wallet')], instructions: [draft] }).status).toBe(status);
});
