import { describe, expect, test } from 'vitest';
import { address } from '../../../tests/support/build-transaction.ts';
import { RECENT_SLOT, readParts } from '../../../tests/support/rpc-parts.ts';
import { SYSTEM_PROGRAM, VOTE_PROGRAM } from '../../model/program.ts';
import { readBlock } from './read-block.ts';

const PAYER = address('payer');

describe('votes', () => {
  const VOTE_LOG = [`Program ${VOTE_PROGRAM} invoke [1]`, `Program ${VOTE_PROGRAM} success`];
  const encoded = (err: object | null, logMessages: readonly string[]) => ({
    parentSlot: RECENT_SLOT - 1,
    transactions: [{ transaction: ['not base58: 0', 'base58'], meta: { err, logMessages } }],
  });

  test('are recognised by their log before any byte is decoded', () => {
    expect(readBlock(encoded(null, VOTE_LOG))).toMatchObject({
      status: 'ok',
      value: { voteCount: 1, transactions: [] },
    });
  });

  test.each<[string, object | null, readonly string[]]>([
    ['failed', { InstructionError: [0, 'Custom'] }, VOTE_LOG],
    ['has a log that was cut short', null, [...VOTE_LOG, 'Log truncated']],
    ['called another program', null, [...VOTE_LOG, `Program ${SYSTEM_PROGRAM} invoke [1]`]],
    ['has an empty log', null, []],
  ])('are not assumed when the transaction %s', (_, err, logMessages) => {
    expect(readBlock(encoded(err, logMessages))).toMatchObject({ code: 'bad-encoding' });
  });

  test('are not transactions that do more than vote', () => {
    const { transaction } = readParts({
      message: {
        accountKeys: [PAYER, VOTE_PROGRAM, SYSTEM_PROGRAM],
        instructions: [
          { programIdIndex: 1, accounts: [], data: '' },
          { programIdIndex: 2, accounts: [], data: '' },
        ],
      },
    });
    expect(transaction).not.toBeNull();
  });
});
