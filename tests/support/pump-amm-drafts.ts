import { WRAPPED_SOL } from '../../src/model/program.ts';
import { concat, hex, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft, type TokenBalanceDraft } from './build-transaction.ts';
import { tokenTransfer } from './pump-drafts.ts';

export const PUMP_AMM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';
export const POOL = address('pool');
export const ALICE = address('alice');
export const CAT_MINT = address('cat mint');
export const LP_MINT = address('lp mint');
export const POOL_BASE = address('pool base');
export const POOL_QUOTE = address('pool quote');
export const USER_BASE = address('alice base');
export const USER_QUOTE = address('alice quote');
/** Takers of fees. */
export const PROTOCOL = address('protocol fees');
export const CREATOR_FEES = address('creator fees');

export const BUY = '66063d1201daebea';
export const BUY_EXACT_QUOTE_IN = 'c62e1552b4d9e870';
export const SELL = '33e685a4017f83ad';
export const BUY_EVENT = '67f4521f2cf57777';
export const SELL_EVENT = '3e2f370aa503dc2a';
/** What every account holds before. */
export const HELD = 10n ** 12n;

/** 1,000,000 go into the curve; pool 2,000, protocol 500 and creator 300 on top of it. */
export const BUY_LEGS = [
  tokenTransfer(POOL_BASE, USER_BASE, POOL, 70_000n),
  tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 1_002_000n),
  tokenTransfer(USER_QUOTE, PROTOCOL, ALICE, 500n),
  tokenTransfer(USER_QUOTE, CREATOR_FEES, ALICE, 300n),
];
export const BOUGHT = { base: -70_000n, quote: 1_002_000n, user: [70_000n, -1_002_800n] } as const;

/** A swap instruction. Its arguments are bounds that no amount may be read from. */
export function swapDraft(tag: string, inner: readonly InstructionDraft[]): InstructionDraft {
  return {
    program: PUMP_AMM,
    accounts: [
      POOL,
      ALICE,
      address('global config'),
      CAT_MINT,
      WRAPPED_SOL,
      USER_BASE,
      USER_QUOTE,
      POOL_BASE,
      POOL_QUOTE,
      address('protocol'),
      PROTOCOL,
    ],
    data: concat(hex(tag), u64(999_999n), u64(888_888n)),
    inner,
  };
}

export function selfEvent(discriminator: string, fields: Uint8Array): InstructionDraft {
  const data = concat(hex('e445a52e51cb9a1d'), hex(discriminator), fields);
  return { program: PUMP_AMM, accounts: [address('event authority')], data };
}

/** The fields of a swap event as far as both its layouts agree and are read; the rest is 5s. */
export function swapFields(curveAmount: bigint, userAmount: bigint): Uint8Array {
  const amounts = Array.from({ length: 14 }, () => 5n);
  amounts[7] = curveAmount;
  amounts[13] = userAmount;
  return concat(...amounts.map(u64));
}

interface Changes {
  readonly base: bigint;
  readonly quote: bigint;
  readonly user: readonly [bigint, bigint];
}

/** Balances of Alice and the pool, which all held the same before. */
export function balances(
  changes: Changes,
  mints = { base: CAT_MINT as string, quote: WRAPPED_SOL as string },
): Required<TokenBalanceDraft>[] {
  const balance = (account: string, mint: string, owner: string, change: bigint) => ({
    account,
    mint,
    owner,
    decimals: mint === WRAPPED_SOL ? 9 : 6,
    before: HELD,
    after: HELD + change,
  });
  return [
    balance(POOL_BASE, mints.base, POOL, changes.base),
    balance(POOL_QUOTE, mints.quote, POOL, changes.quote),
    balance(USER_BASE, mints.base, ALICE, changes.user[0]),
    balance(USER_QUOTE, mints.quote, ALICE, changes.user[1]),
  ];
}
