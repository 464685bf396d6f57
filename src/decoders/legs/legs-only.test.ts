import { describe, expect, test } from 'vitest';
import { concat, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import { balance } from '../../../tests/support/swap-draft.ts';
import { transfer } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { legsOnlyDecoder } from './legs-only.ts';

const MINT = address('cat');
const PROGRAM = {
  name: 'solfi',
  programId: address('private amm'),
  swaps: [{ tag: '07', user: 0, pool: 1, vaults: [2, 3], userAccounts: [4, 5] }],
} as const;
const DECODER = legsOnlyDecoder(PROGRAM);
const KNOWN = ['wallet', 'pool', 'base vault', 'quote vault', 'wallet base', 'wallet sol'];
const STRANGE = ['wallet', 'another pool', 'another base vault', 'another quote vault'];
const PAID = transfer({ from: 'wallet sol', to: 'quote vault', by: 'wallet', amount: 30n });
const GOT = transfer({ from: 'base vault', to: 'wallet base', by: 'pool', amount: 40n });
const SWAP = {
  kind: 'swap',
  venue: 'solfi',
  pool: address('pool'),
  baseMint: MINT,
  quoteMint: WRAPPED_SOL,
  trader: address('wallet'),
  side: 'buy',
  poolBaseDelta: -40n,
  poolQuoteDelta: 30n,
  traderBaseDelta: 40n,
  traderQuoteDelta: -30n,
  feeQuoteRaw: null,
  legsOnly: true,
};

describe('a swap with known accounts', () => {
  test('is read from the vault movements, regardless of other movements', () => {
    const fee = transfer({ from: 'wallet sol', to: 'somebody', by: 'wallet', amount: 5n });
    const result = decode(7, KNOWN, [PAID, GOT, fee]);
    expect(result).toMatchObject({ events: [{ ...SWAP, traderQuoteDelta: -35n }] });
    expect(decode(7, KNOWN, [GOT, PAID])).toMatchObject({ events: [SWAP] });
  });

  test('has reserves only when the pool itself owns both vaults', () => {
    const own = decode(7, KNOWN, [PAID, GOT]);
    expect(own).toMatchObject({ events: [{ reserves: { base: 60n, quote: 130n } }] });
    const shared = decode(7, KNOWN, [PAID, GOT], { owner: 'global state' });
    expect(shared).toMatchObject({ events: [{ pool: address('pool'), reserves: null }] });
  });

  test('is malformed when both vaults moved the same way', () => {
    const deposit = transfer({ from: 'wallet base', to: 'base vault', by: 'wallet', amount: 40n });
    expect(decode(7, KNOWN, [PAID, deposit])).toEqual({
      status: 'malformed',
      reason: 'both vaults moved the same way',
    });
  });
});

describe('an unknown instruction', () => {
  test('is a swap if two transfers cross and a signer authorised one of them', () => {
    const expected = { ...SWAP, reserves: { base: 60n, quote: 130n } };
    for (const inner of [
      [PAID, GOT],
      [GOT, PAID],
    ]) {
      expect(decode(9, [], inner)).toMatchObject({ events: [expected] });
      expect(decode(7, STRANGE, inner)).toMatchObject({ events: [expected] });
    }
  });

  test('of a pool whose vaults have two owners belongs to the base vault, both ways', () => {
    const owners = { owner: 'quote vault', baseOwner: 'base vault' };
    const back = [
      transfer({ from: 'wallet base', to: 'base vault', by: 'wallet', amount: 40n }),
      transfer({ from: 'quote vault', to: 'wallet sol', by: 'pool', amount: 30n }),
    ];
    const pool = address('base vault');
    expect(decode(9, [], [PAID, GOT], owners)).toMatchObject({
      events: [{ pool, side: 'buy', reserves: null }],
    });
    expect(decode(9, [], back, owners)).toMatchObject({
      events: [{ pool, side: 'sell', reserves: null }],
    });
  });

  test.each([
    ['one transfer', [PAID]],
    ['three transfers', [PAID, GOT, GOT]],
    ['no signer on either side', [byRouter(PAID), GOT]],
    ['a signer on both sides', [PAID, transferBack('wallet')]],
    ['one mint', [PAID, transferBack('pool')]],
    ['no owner at both ends of a side', [PAID, crossless()]],
  ])('is unknown with %s', (_what, inner) => {
    const owners = { owner: 'quote vault', baseOwner: 'base vault' };
    expect(decode(9, [], inner, owners)).toEqual({ status: 'unknown', discriminator: '09' });
  });

  test('has the pool at its position if that is the same in every instruction', () => {
    const decoder = legsOnlyDecoder({ ...PROGRAM, swaps: [], recognisedPool: 2 });
    expect(decode(9, STRANGE, [PAID, GOT], undefined, decoder)).toMatchObject({
      events: [{ ...SWAP, pool: address('another base vault') }],
    });
  });

  test('is unknown when a program also exchanges tokens in other ways', () => {
    const decoder = legsOnlyDecoder({ ...PROGRAM, hasOtherExchanges: true });
    const unknown = { status: 'unknown', discriminator: '09' };
    expect(decode(9, [], [PAID, GOT], undefined, decoder)).toEqual(unknown);
    expect(decode(7, KNOWN, [PAID, GOT], undefined, decoder)).toMatchObject({ events: [SWAP] });
  });

  test('that moved no tokens is ignored', () => {
    expect(decode(6, KNOWN.slice(0, 3), [])).toEqual({ status: 'ignored' });
  });
});

function byRouter(draft: InstructionDraft): InstructionDraft {
  const [from = '', to = ''] = draft.accounts ?? [];
  return { ...draft, accounts: [from, to, address('router')] };
}

function transferBack(by: string): InstructionDraft {
  const isOneMint = by === 'pool';
  const [from, to] = isOneMint ? ['quote vault', 'wallet sol'] : ['base vault', 'wallet base'];
  return transfer({ from: from ?? '', to: to ?? '', by, amount: 40n });
}

function crossless(): InstructionDraft {
  return transfer({ from: 'base vault', to: 'somebody base', by: 'pool', amount: 40n });
}

interface Owners {
  readonly owner: string;
  readonly baseOwner?: string;
}

function decode(
  tag: number,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  { owner, baseOwner = owner }: Owners = { owner: 'pool' },
  decoder = DECODER,
) {
  const transaction = buildTransaction({
    signers: [address('wallet')],
    instructions: [
      {
        program: DECODER.programId,
        accounts: [...accounts, 'pool'].map(address),
        data: concat(u8(tag), u64(1n)),
        inner,
      },
    ],
    tokenBalances: [
      balance('base vault', MINT, baseOwner, 100n, 60n, 6),
      balance('quote vault', WRAPPED_SOL, owner, 100n, 130n, 9),
      balance('wallet base', MINT, 'wallet', 0n, 40n, 6),
      balance('wallet sol', WRAPPED_SOL, 'wallet', 50n, 20n, 9),
      balance('somebody base', MINT, 'somebody', 0n, 40n, 6),
    ],
  });
  const view = new TransactionView(transaction, (program) => program === DECODER.programId);
  const [instruction] = transaction.instructions;
  if (instruction === undefined) throw new Error('no instruction');
  return decoder.decode(instruction, view);
}
