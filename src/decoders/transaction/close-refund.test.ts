import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { concat, key, u8, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type TransactionDraft } from '../../../tests/support/build-transaction.ts';
import { factsOfDraft } from '../../../tests/support/decode-draft.ts';
import { hasTestData, testData } from '../../../tests/support/test-data.ts';
import {
  closeAccount,
  initializeAccount3,
  sendLamports,
  syncNative,
  transfer,
} from '../../../tests/support/token-instructions.ts';
import { readBlock } from '../../chain/rpc-json/read-block.ts';
import { encodeBase58 } from '../../lib/base58.ts';
import {
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL,
} from '../../model/program.ts';
import type { TransactionFacts } from '../../model/slot-facts.ts';
import type { ChainBlock, ChainTransaction } from '../../model/transaction.ts';
import type { Address } from '../../model/units.ts';
import { decodeBlock } from '../decode-block.ts';

const RENT = 2_039_280n;
const WALLET = address('wallet');
const WSOL = address('wsol');
const OTHER = address('other wsol');
const POOL = address('pool');
const MINT = address('mint');

describe('the lamports of a closed account', () => {
  test('are its rent and the remaining wrapped SOL', () => {
    const refunds = refundsOf({
      instructions: [
        create(WSOL),
        sendLamports(WALLET, WSOL, 1_000_000_000n),
        initializeAccount3(WSOL, WRAPPED_SOL, WALLET),
        syncNative(WSOL),
        transfer({ from: WSOL, to: POOL, by: WALLET, amount: 400_000_000n }),
        transfer({ from: POOL, to: WSOL, by: POOL, amount: 7n }),
        closeAccount(WSOL, WALLET),
      ],
      tokenBalances: [{ account: POOL, mint: WRAPPED_SOL, owner: address('amm') }],
    });
    expect(refunds).toEqual([
      { kind: 'unwrap', from: WALLET, to: WALLET, lamports: RENT + 600_000_007n },
    ]);
  });

  test('are only its rent when it held another token, whatever its movements', () => {
    const refunds = refundsOf({
      instructions: [
        transfer({ from: 'tokens', to: POOL, by: WALLET, amount: 5_000n }),
        closeAccount('tokens', address('friend')),
      ],
      lamports: { [address('tokens')]: [RENT, 0n] },
      tokenBalances: [
        { account: address('tokens'), mint: MINT, owner: WALLET, before: 5_000n },
        { account: POOL, mint: MINT, after: 5_000n },
      ],
    });
    expect(refunds).toEqual([
      { kind: 'closeRefund', from: WALLET, to: address('friend'), lamports: RENT },
    ]);
  });

  test('are also unwrapped from Token-2022, which has its own wrapped SOL', () => {
    const refunds = refundsOf({
      instructions: [
        transfer({ from: WSOL, to: POOL, by: WALLET, amount: 30n }),
        closeAccount(WSOL, WALLET),
      ],
      lamports: { [WSOL]: [RENT + 100n, 0n] },
      tokenBalances: [
        {
          account: WSOL,
          mint: token2022WrappedSol(),
          owner: WALLET,
          before: 100n,
        },
      ],
    });
    expect(refunds).toEqual([{ kind: 'unwrap', from: WALLET, to: WALLET, lamports: RENT + 70n }]);
  });

  test('restart when an account is opened a second time', () => {
    const open = (lamports: bigint) => [
      create(WSOL),
      sendLamports(WALLET, WSOL, lamports),
      initializeAccount3(WSOL, WRAPPED_SOL, WALLET),
      closeAccount(WSOL, WALLET),
    ];
    expect(refundsOf({ instructions: [...open(10n), ...open(20n)] })).toMatchObject([
      { lamports: RENT + 10n },
      { lamports: RENT + 20n },
    ]);
  });

  test('pass through an account that is closed later', () => {
    const refunds = refundsOf({
      instructions: [closeAccount(OTHER, WSOL), closeAccount(WSOL, WALLET)],
      lamports: { [OTHER]: [RENT + 3n, 0n], [WSOL]: [RENT + 4n, 0n] },
      tokenBalances: [
        { account: OTHER, mint: WRAPPED_SOL, owner: WALLET, before: 3n },
        { account: WSOL, mint: WRAPPED_SOL, owner: WALLET, before: 4n },
      ],
    });
    expect(refunds).toMatchObject([{ lamports: RENT + 3n }, { lamports: 2n * RENT + 7n }]);
  });

  test('are reduced by what the address sent before it was a token account', () => {
    const instructions = [
      sendLamports(WSOL, WALLET, 5n),
      initializeAccount3(WSOL, WRAPPED_SOL, WALLET),
      closeAccount(WSOL, WALLET),
    ];
    const lamports = { [WSOL]: [RENT + 9n, 0n] } as const;
    expect(refundsOf({ instructions, lamports })).toMatchObject([{ lamports: RENT + 4n }]);
  });

  test.each([
    ['withdrawn', WSOL, WALLET],
    ['deposited', OTHER, WSOL],
  ])('are unknown when an unknown part was %s before', (_, from, to) => {
    const withdrawExcess = {
      program: SPL_TOKEN_PROGRAM,
      accounts: [from, to, WALLET],
      data: u8(38),
    };
    const instructions = [withdrawExcess, closeAccount(WSOL, WALLET)];
    expect(refundsOf({ instructions, lamports: { [WSOL]: [RENT + 9n, 0n] } })).toEqual([]);
  });

  test('are unknown when the record shows the account empty', () => {
    expect(refundsOf({ instructions: [closeAccount(WSOL, WALLET)] })).toEqual([]);
  });

  test('are unknown when the record ends with lamports in the account', () => {
    const lamports = { [WSOL]: [RENT, 1n] } as const;
    expect(refundsOf({ instructions: [closeAccount(WSOL, WALLET)], lamports })).toEqual([]);
  });

  test('are unknown for an account into which one with contradicted lamports was closed', () => {
    const instructions = [closeAccount(OTHER, WSOL), closeAccount(WSOL, WALLET)];
    const lamports = { [OTHER]: [900n, 900n], [WSOL]: [RENT, 0n] } as const;
    expect(refundsOf({ instructions, lamports })).toEqual([]);
  });

  test('are known for an account that was funded again after it was closed', () => {
    const instructions = [closeAccount(WSOL, WALLET), sendLamports(WALLET, WSOL, 5n)];
    const refunds = refundsOf({ instructions, lamports: { [WSOL]: [RENT, 5n] } });
    expect(refunds).toMatchObject([{ lamports: RENT }]);
  });

  test('can move back and forth between two accounts a thousand times', () => {
    const instructions = Array.from({ length: 1_000 }, (_, index) =>
      index % 2 === 0 ? closeAccount(WSOL, OTHER) : closeAccount(OTHER, WSOL),
    );
    const lamports = { [WSOL]: [3n, 7n], [OTHER]: [4n, 0n] } as const;
    const refunds = refundsOf({ instructions, lamports });
    // Three are moved at first, from then on all seven, which end where the last close put them.
    expect(refunds).toHaveLength(1_000);
    expect(refunds.slice(0, 2)).toMatchObject([{ lamports: 3n }, { lamports: 7n }]);
  });

  test('come from the account itself when its owner is not known', () => {
    const refunds = refundsOf({
      instructions: [closeAccount(WSOL, WALLET)],
      lamports: { [WSOL]: [RENT, 0n] },
    });
    expect(refunds).toEqual([{ kind: 'closeRefund', from: WSOL, to: WALLET, lamports: RENT }]);
  });
});

/**
 * In the two whole blocks, the gain of each refunded account equals, to the lamport, what the
 * events say it was sent less what they say it sent and the fee it paid. Two accounts are
 * exceptions: a program paid them from its own lamports, which no instruction shows.
 */
test.skipIf(!hasTestData)('refunds explain the lamports of real wallets', () => {
  const unexplained: string[] = [];
  let explained = 0;
  for (const [path, slot] of BLOCKS) {
    const block = readWholeBlock(path, slot);
    const { transactions } = decodeBlock(block);
    transactions.forEach((facts, index) => {
      const record = block.transactions[index] as ChainTransaction;
      for (const account of refundedAccounts(facts)) {
        if (gainOf(record, account) === reportedGain(facts, account)) explained++;
        else unexplained.push(`${record.signature}: ${payersBesides(record)}`);
      }
    });
  }
  expect(unexplained).toEqual([
    expect.stringMatching(/^21TkyKuS.*6EF8rrec/),
    expect.stringMatching(/^n6BivrpF.*VFeesu/),
  ]);
  expect(explained).toBe(109);
});

const BLOCKS = [
  ['ai-nyan-bot+bot/block_326027759.json', 326_027_759],
  ['helius-labs+photon/tests/data/blocks/index_block_metadata/254170887', 254_170_887],
] as const;

function readWholeBlock(path: string, slot: number): ChainBlock {
  const text = readFileSync(resolve(testData, 'chain', path), 'utf8');
  const reading = readBlock(JSON.parse(text), slot as ChainBlock['slot']);
  if (reading.status !== 'ok') throw new Error(`${path}: ${reading.status}`);
  return reading.value;
}

function refundedAccounts({ events }: TransactionFacts): Set<Address> {
  const accounts = new Set<Address>();
  for (const event of events) {
    if (event.kind !== 'solTransfer') continue;
    if (event.transferKind === 'unwrap' || event.transferKind === 'closeRefund') {
      accounts.add(event.to);
    }
  }
  return accounts;
}

function gainOf(record: ChainTransaction, account: Address): bigint {
  const index = record.keys.indexOf(account);
  const gain = (record.lamportsAfter[index] ?? 0n) - (record.lamportsBefore[index] ?? 0n);
  return index === 0 ? gain + record.feeLamports : gain;
}

/** A refund comes from the closed account, not from its owner's wallet. */
function reportedGain({ events }: TransactionFacts, account: Address): bigint {
  let gain = 0n;
  for (const event of events) {
    if (event.kind !== 'solTransfer') continue;
    const isSent = ['transfer', 'wrap', 'createAccount'].includes(event.transferKind);
    if (event.to === account) gain += event.lamports;
    if (event.from === account && isSent) gain -= event.lamports;
  }
  return gain;
}

function payersBesides({ instructions }: ChainTransaction): string {
  return [...new Set(instructions.map(({ programId }) => programId))].join(' ');
}

/** Derives the address like the runtime: hash of seed, bump, program and a marker. */
function token2022WrappedSol(): string {
  const parts = [Buffer.from('native-mint'), u8(255), key(TOKEN_2022_PROGRAM)];
  const marker = Buffer.from('ProgramDerivedAddress');
  return encodeBase58(
    createHash('sha256')
      .update(concat(...parts, marker))
      .digest(),
  );
}

function create(account: string) {
  return {
    program: SYSTEM_PROGRAM,
    accounts: [WALLET, account],
    data: concat(u32(0), u64(RENT), u64(165n), key(SPL_TOKEN_PROGRAM)),
  };
}

function refundsOf(draft: Omit<TransactionDraft, 'signers'>) {
  const { events } = factsOfDraft({ signers: [WALLET], ...draft });
  return events.flatMap((event) => {
    if (event.kind !== 'solTransfer') return [];
    const { transferKind: kind, from, to, lamports } = event;
    return kind === 'unwrap' || kind === 'closeRefund' ? [{ kind, from, to, lamports }] : [];
  });
}
