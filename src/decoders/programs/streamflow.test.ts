import { describe, expect, test } from 'vitest';
import { testAnchorLayout } from '../../../tests/support/anchor-interface.ts';
import { concat, flag, hex, key, u32, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { accountList } from '../../../tests/support/pool-transaction.ts';
import { transfer } from '../../../tests/support/token-instructions.ts';
import { streamflow, streamflowLayout } from './streamflow.ts';

type Name = keyof typeof streamflowLayout.instructions;

const MINT = address('mint');
/** 2026-01-01T00:00:00Z. */
const NEW_YEAR = 1_767_225_600n;
const DAY = 86_400n;
const DEPOSIT = transfer({ from: 'sender tokens', to: 'escrow', by: 'sender', amount: 1_000n });
const FEE = transfer({ from: 'sender tokens', to: 'treasury', by: 'sender', amount: 10n });
const CREATE = accountList(18, { 0: 'sender', 1: 'sender tokens', 4: 'escrow' });
const UNCHECKED = accountList(11, { 0: 'sender', 1: 'sender tokens', 3: 'escrow' });
const WITH_PAYER = accountList(12, { 1: 'sender', 2: 'sender tokens', 4: 'escrow' });

/** End of the parameters by kind of creation: whether it can be paused, and its rate changed. */
const TAILS: Readonly<Record<string, (canUpdateRate: boolean) => Uint8Array>> = {
  create: (can) => concat(flag(true), flag(true), flag(true), flag(can)),
  create_v2: (can) => concat(flag(true), flag(can), u32(7)),
  create_unchecked: (can) => concat(TWO_KEYS, flag(true), flag(can)),
  create_unchecked_v2: (can) => concat(TWO_KEYS, flag(true), flag(can), u32(7)),
  create_unchecked_with_payer: (can) => concat(TWO_KEYS, flag(true), flag(can)),
  create_unchecked_with_payer_v2: (can) => concat(TWO_KEYS, flag(true), flag(can), u32(7)),
};
const TWO_KEYS = concat(key(address('recipient')), key(address('partner')));

describe('a Streamflow lock', () => {
  test.each([
    ['create', CREATE],
    ['create_v2', CREATE],
    ['create_unchecked', UNCHECKED],
    ['create_unchecked_v2', UNCHECKED],
    ['create_unchecked_with_payer', WITH_PAYER],
    ['create_unchecked_with_payer_v2', WITH_PAYER],
  ] as const)('by %s locks the amount its escrow received, without fees', (name, accounts) => {
    const tail = TAILS[name]?.(false);
    const parameters = streamParameters({ cliff: NEW_YEAR, cliffAmount: 999n }, tail);
    expect(decode(name, accounts, [FEE, DEPOSIT], parameters)).toEqual({
      status: 'event',
      events: [
        {
          kind: 'tokenLock',
          outerIx: 0,
          innerIx: -1,
          locker: 'streamflow',
          escrow: address('escrow'),
          mint: MINT,
          owner: address('sender'),
          escrowDelta: 1_000n,
          // 999 at the cliff and the last one a day later.
          terms: {
            isPermanent: false,
            firstUnlockTimeMs: Date.UTC(2026, 0, 1),
            lastUnlockTimeMs: Date.UTC(2026, 0, 2),
            isRevocable: false,
          },
        },
      ],
    });
    const changeable = streamParameters({ cliff: NEW_YEAR }, TAILS[name]?.(true));
    expect(decode(name, accounts, [DEPOSIT], changeable)).toMatchObject({
      events: [{ terms: { isRevocable: true } }],
    });
  });

  test('without a cliff unlocks its first part one period after its start, its rest last', () => {
    const parameters = streamParameters({ start: NEW_YEAR, perPeriod: 300n });
    expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
      // 300, 300, 300 and the rest.
      events: [
        {
          terms: {
            firstUnlockTimeMs: Date.UTC(2026, 0, 2),
            lastUnlockTimeMs: Date.UTC(2026, 0, 5),
          },
        },
      ],
    });
  });

  test('that starts with its block has an unknown end', () => {
    const parameters = streamParameters({ start: 0n, cliff: 0n });
    expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
      events: [{ terms: { firstUnlockTimeMs: null, lastUnlockTimeMs: null } }],
    });
  });

  test('whose periods unlock nothing has an unknown end', () => {
    const parameters = streamParameters({ cliff: NEW_YEAR, cliffAmount: 5n, perPeriod: 0n });
    expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
      events: [{ terms: { firstUnlockTimeMs: Date.UTC(2026, 0, 1), lastUnlockTimeMs: null } }],
    });
  });

  test('beyond the representable times ends at the last one', () => {
    const parameters = streamParameters({ cliff: 2n ** 64n - 1n, cliffAmount: 1_000n });
    const end = 8.64e15;
    expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
      events: [{ terms: { firstUnlockTimeMs: end, lastUnlockTimeMs: end } }],
    });
  });

  test.each([{ isCancelableBySender: true }, { isCancelableByRecipient: true }])(
    'is revocable when it can be cancelled (%o)',
    (flags) => {
      const parameters = streamParameters({ cliff: NEW_YEAR, ...flags });
      expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
        events: [{ terms: { isRevocable: true } }],
      });
    },
  );

  test('of the oldest clients, which state nothing about rates, has a fixed rate', () => {
    const parameters = streamParameters({ cliff: NEW_YEAR }, new Uint8Array(0));
    expect(decode('create', CREATE, [DEPOSIT], parameters)).toMatchObject({
      events: [{ terms: { isRevocable: false } }],
    });
  });

  test('grows by a top-up and shrinks by withdrawals and refunds', () => {
    const top = accountList(12, { 0: 'sender', 3: 'escrow' });
    expect(decode('topup', top, [DEPOSIT], u64(5n))).toMatchObject({
      events: [{ owner: address('sender'), escrowDelta: 1_000n, terms: null }],
    });
    const out = (to: string, amount: bigint) => transfer({ from: 'escrow', to, by: 'pda', amount });
    const withdraw = accountList(11, { 1: 'recipient', 4: 'escrow' });
    expect(decode('withdraw', withdraw, [out('theirs', 40n)], u64(2n ** 64n - 1n))).toMatchObject({
      events: [{ owner: null, escrowDelta: -40n, terms: null }],
    });
    const cancel = accountList(13, { 1: 'sender', 6: 'escrow' });
    const both = [out('theirs', 40n), out('sender tokens', 960n)];
    expect(decode('cancel', cancel, both)).toMatchObject({
      events: [{ owner: address('sender'), escrowDelta: -1_000n, terms: null }],
    });
  });

  test('is malformed when its parameters or accounts are truncated', () => {
    const short = streamParameters({}, new Uint8Array(0)).slice(0, -1);
    expect(decode('create', CREATE, [DEPOSIT], short)).toEqual({
      status: 'malformed',
      reason: 'stream parameters cut short',
    });
    expect(decode('withdraw', CREATE.slice(0, 3), [])).toEqual({
      status: 'malformed',
      reason: 'too few accounts',
    });
  });

  const create = ['sender', 'sender_tokens', 'recipient', 'metadata', 'escrow_tokens'];
  const unchecked = ['sender', 'sender_tokens', 'metadata', 'escrow_tokens'];
  const withPayer = ['payer', 'sender', 'sender_tokens', 'metadata', 'escrow_tokens'];
  testAnchorLayout(streamflowLayout, {
    create,
    create_v2: create,
    create_unchecked: unchecked,
    create_unchecked_v2: unchecked,
    create_unchecked_with_payer: withPayer,
    create_unchecked_with_payer_v2: withPayer,
    topup: ['sender', 'sender_tokens', 'metadata', 'escrow_tokens'],
    withdraw: ['authority', 'recipient', 'recipient_tokens', 'metadata', 'escrow_tokens'],
    cancel: [
      'authority',
      'sender',
      'sender_tokens',
      'recipient',
      'recipient_tokens',
      'metadata',
      'escrow_tokens',
    ],
  });
});

describeDecoderLaws('a Streamflow decoder', streamflow, streamflowLayout);

interface StreamDraft {
  readonly start?: bigint;
  readonly perPeriod?: bigint;
  readonly cliff?: bigint;
  readonly cliffAmount?: bigint;
  readonly isCancelableBySender?: boolean;
  readonly isCancelableByRecipient?: boolean;
}

/** The parameters of a stream of 1,000 with a period of one day. */
function streamParameters(
  draft: StreamDraft,
  tail: Uint8Array = concat(flag(false), flag(false)),
): Uint8Array {
  const { start = NEW_YEAR, perPeriod = 1n, cliff = 0n, cliffAmount = 0n } = draft;
  const { isCancelableBySender = false, isCancelableByRecipient = false } = draft;
  const flags = [isCancelableBySender, isCancelableByRecipient, true, true, true, true];
  const numbers = [start, 1_000n, DAY, perPeriod, cliff, cliffAmount];
  return concat(...numbers.map(u64), ...flags.map(flag), new Uint8Array(64).fill(1), u64(1n), tail);
}

function decode(
  name: Name,
  accounts: readonly string[],
  inner: readonly InstructionDraft[],
  parameters: Uint8Array = new Uint8Array(0),
) {
  const { discriminator } = streamflowLayout.instructions[name];
  const data = concat(hex(discriminator), parameters);
  return decodeDraft({
    signers: [address('sender')],
    instructions: [{ program: streamflow.programId, accounts, data, inner }],
    tokenBalances: [{ account: address('escrow'), mint: MINT, owner: address('pda') }],
  });
}
