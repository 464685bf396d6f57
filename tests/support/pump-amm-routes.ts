import { pumpAmmLayout } from '../../src/decoders/families/pump-amm-layout.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../src/model/program.ts';
import { concat, hex, u64 } from './borsh-bytes.ts';
import { address, type InstructionDraft } from './build-transaction.ts';
import { decodeDraft, factsOfDraft } from './decode-draft.ts';
import { ALICE, buyEvent, PUMP_AMM, type TradeValues, vault } from './pump-amm-drafts.ts';
import { PUMP, tokenTransfer } from './pump-drafts.ts';

export const COIN = address('far coin');
export const MIDDLE = address('middle coin');
export const USER_SOL = address('alice sol');
export const USER_COIN = address('alice coin');
export const BUYBACK = address('buyback');

/** Quotes the middle coin in SOL; the far coin's is quoted in the middle coin. */
export const NEAR = hopOf('near', MIDDLE, WRAPPED_SOL);
export const FAR = hopOf('far', COIN, MIDDLE);

/**
 * 10,050 lamports: 50 protocol fee, of which 25 for buy-backs, and 10,000 for the near pool, which
 * pays floor(1,000,000 * 9,999 / (500,000 + 9,999)). Of these 19,605, the far pool keeps 100 for the
 * creator and 40 for its providers and pays floor(2,000,000 * 19,464 / (299,000 + 19,464)).
 */
export const NEAR_BOUGHT = 19_605n;
export const FAR_BOUGHT = 122_236n;
export const NEAR_EVENT: TradeValues = {
  pool: NEAR.pool,
  base: NEAR_BOUGHT,
  quoteAmount: 10_050n,
  userQuoteAmount: 10_000n,
  lp: 0n,
  protocol: 50n,
  creator: 0n,
  buyback: 25n,
  protocolRecipient: SYSTEM_PROGRAM,
};
export const FAR_EVENT: TradeValues = {
  pool: FAR.pool,
  base: FAR_BOUGHT,
  quoteAmount: NEAR_BOUGHT,
  userQuoteAmount: 19_465n,
  lp: 40n,
  protocol: 0n,
  creator: 100n,
  virtualQuote: -1_000n,
  protocolRecipient: SYSTEM_PROGRAM,
};
/** The transfers and events of a purchase through both pools. */
export const BUY_LEGS = [
  tokenTransfer(USER_SOL, NEAR.quote, ALICE, 10_025n),
  tokenTransfer(USER_SOL, BUYBACK, ALICE, 25n),
  tokenTransfer(NEAR.base, FAR.quote, NEAR.pool, NEAR_BOUGHT),
  buyEvent(NEAR_EVENT),
  tokenTransfer(FAR.base, USER_COIN, FAR.pool, FAR_BOUGHT),
  buyEvent(FAR_EVENT),
];
export const BALANCES = [
  vault(NEAR.base, MIDDLE, [1_000_000n, 980_395n], NEAR.pool),
  vault(NEAR.quote, WRAPPED_SOL, [500_000n, 510_025n], NEAR.pool),
  vault(FAR.base, COIN, [2_000_000n, 1_877_764n], FAR.pool),
  vault(FAR.quote, MIDDLE, [300_000n, 319_605n], FAR.pool),
  vault(USER_SOL, WRAPPED_SOL, [10_050n, 0n], ALICE),
  vault(USER_COIN, COIN, [0n, FAR_BOUGHT], ALICE),
];

/** A pool or a curve on a route, with its vaults. */
export interface HopDraft {
  readonly pool: string;
  readonly baseMint: string;
  readonly quoteMint: string;
  readonly base: string;
  readonly quote: string;
}

export function hopOf(word: string, baseMint: string, quoteMint: string): HopDraft {
  return {
    pool: address(`${word} pool`),
    baseMint,
    quoteMint,
    base: address(`${word} base vault`),
    quote: address(`${word} quote vault`),
  };
}

function hopAccounts({ pool, baseMint, quoteMint, base, quote }: HopDraft): string[] {
  return [baseMint, quoteMint, pool, base, quote];
}

/** The instruction through these hops, with its 16 fixed accounts. */
export function multiHop(
  hops: readonly HopDraft[],
  inner: readonly InstructionDraft[],
  [userIn, userOut]: readonly [string, string] = [USER_SOL, USER_COIN],
): InstructionDraft {
  const fixed: string[] = Array.from({ length: 16 }, (_, at) => address(`fixed ${at}`));
  fixed.splice(0, 3, ALICE, userIn, userOut);
  fixed.splice(11, 2, PUMP_AMM, PUMP);
  return {
    program: PUMP_AMM,
    accounts: [...fixed, ...hops.flatMap(hopAccounts)],
    data: concat(hex(pumpAmmLayout.instructions.multi_hop_swap.discriminator), u64(999n), u64(1n)),
    inner,
  };
}

/** `multi_hop_curve_swap` of the pump program, paid by a pool: its authority is account 4. */
export function curveRun(
  curve: HopDraft,
  payer: HopDraft,
  inner: readonly InstructionDraft[],
): InstructionDraft {
  const fixed: string[] = Array.from({ length: 13 }, (_, at) => address(`curve fixed ${at}`));
  fixed.splice(3, 4, ALICE, payer.pool, payer.base, USER_COIN);
  const accounts = [...fixed, ...hopAccounts(curve)];
  return { program: PUMP, accounts, data: concat(hex('e19a7516d756f667'), u64(5n)), inner };
}

/** The result of a route on these pools and curves for `multi_hop_swap` itself. */
export function decodeRoute(
  hops: readonly HopDraft[],
  legs: readonly InstructionDraft[],
  tokenBalances: typeof BALANCES,
) {
  const instructions = [multiHop(hops, legs)];
  return decodeDraft({ signers: [ALICE], instructions, tokenBalances });
}

/** The swaps of the whole transaction of a route. */
export function swapsOfRoute(
  hops: readonly HopDraft[],
  legs: readonly InstructionDraft[],
  users: readonly [string, string] = [USER_SOL, USER_COIN],
  tokenBalances = BALANCES,
) {
  const instructions = [multiHop(hops, legs, users)];
  const { events } = factsOfDraft({ signers: [ALICE], instructions, tokenBalances });
  return events.filter(({ kind }) => kind === 'swap');
}
