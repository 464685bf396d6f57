import { describe, expect, test } from 'vitest';
import { concat, u8, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { factsOfDraft } from '../../../tests/support/decode-draft.ts';
import { closeAccount } from '../../../tests/support/token-instructions.ts';
import { SPL_TOKEN_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';

const RENT = 2_039_280n;
const [WALLET, FRIEND, WSOL, MINT] = [
  address('wallet'),
  address('friend'),
  address('wsol'),
  address('mint'),
];

/** Payments and refunds of a transaction that the wallet signs; WSOL holds 3 SOL beyond its rent. */
function movedBy(
  instruction: InstructionDraft,
  { mint = WRAPPED_SOL as string, owner = WALLET as string, after = 0n } = {},
) {
  const { events } = factsOfDraft({
    signers: [WALLET],
    instructions: [instruction],
    lamports: { [WSOL]: [RENT + 3_000_000_000n, after] },
    tokenBalances: [{ account: WSOL, mint, owner, before: 3_000_000_000n }],
  });
  return events.flatMap((event) => {
    if (event.kind !== 'solTransfer') return [];
    const { transferKind: kind, from, to, lamports } = event;
    return [{ kind, from, to, lamports }];
  });
}

const PAYMENT = { kind: 'transfer', from: WALLET, to: FRIEND, lamports: 3_000_000_000n };

describe('closing an account', () => {
  test("into somebody else's wallet pays what it held beyond its rent", () => {
    const refund = { from: WALLET, to: FRIEND, lamports: RENT };
    expect(movedBy(closeAccount(WSOL, FRIEND))).toEqual([{ kind: 'unwrap', ...refund }, PAYMENT]);
    // Lamports can be sent to an account of any mint.
    expect(movedBy(closeAccount(WSOL, FRIEND), { mint: MINT })).toEqual([
      { kind: 'closeRefund', ...refund },
      PAYMENT,
    ]);
  });

  test('through a program pays as well', () => {
    const program = { program: address('program'), inner: [closeAccount(WSOL, FRIEND)] };
    expect(movedBy(program)).toContainEqual(PAYMENT);
  });

  test('into the wallet of its owner pays nobody', () => {
    expect(movedBy(closeAccount(WSOL, WALLET))).toEqual([
      { kind: 'unwrap', from: WALLET, to: WALLET, lamports: RENT + 3_000_000_000n },
    ]);
  });

  test('of a program, which cannot sign, pays nobody: it hands out the result of a trade', () => {
    expect(
      movedBy(closeAccount(WSOL, FRIEND), { owner: address('program account') }),
    ).toMatchObject([{ kind: 'unwrap', lamports: RENT + 3_000_000_000n }]);
  });
});

test('unwrapping an amount for somebody else pays all of it: the account keeps its rent', () => {
  const unwrap = {
    program: SPL_TOKEN_PROGRAM,
    accounts: [WSOL, FRIEND, WALLET],
    data: concat(u8(45), u8(1), u64(3_000_000_000n)),
  };
  expect(movedBy(unwrap, { after: RENT })).toEqual([PAYMENT]);
});
