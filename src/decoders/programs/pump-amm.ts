/**
 * PumpSwap pools, program pAMMBay6….
 *
 * Amounts are read from the transfers between the instruction and the pool's two token accounts.
 * The program's own event adds what transfers do not show: the fees, which of them stay in the
 * pool's vault without being its liquidity, and the signed reserves that the pool prices with in
 * addition to its vaults. An event that the transfers contradict quarantines the swap.
 */

import { decodeBoostBurn, decodeInitBoost } from '../families/pump-amm-boost.ts';
import { decodeCreatorChange, decodeSweep } from '../families/pump-amm-fees.ts';
import { pumpAmmLayout } from '../families/pump-amm-layout.ts';
import { decodeMultiHopSwap } from '../families/pump-amm-multi-hop.ts';
import { isOwnBase } from '../families/pump-amm-sides.ts';
import { decodePoolSwap } from '../families/pump-amm-swap.ts';
import { type DecodeResult, resultOf } from '../legs/decoder.ts';
import { type LiquidityAccounts, readLiquidity, readPoolCreated } from '../legs/liquidity-legs.ts';
import { liquidityAccounts } from '../legs/pool-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';

export const pumpAmm = venueDecoder({
  name: 'pump_amm',
  programId: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
  layout: pumpAmmLayout,
  readers: {
    buy: (call) => decodePoolSwap(call, true, 'paid'),
    buy_exact_quote_in: (call) => decodePoolSwap(call, true, 'paid'),
    sell: (call) => decodePoolSwap(call, false, 'paid'),
    deposit: decodeLiquidity,
    withdraw: decodeLiquidity,
    create_pool: decodeCreatePool,
    buy_v2: (call) => decodePoolSwap(call, true, 'kept'),
    buy_exact_quote_in_v2: (call) => decodePoolSwap(call, true, 'kept'),
    sell_v2: (call) => decodePoolSwap(call, false, 'kept'),
    multi_hop_swap: decodeMultiHopSwap,
    init_boost: withAllAccounts(decodeInitBoost),
    boost_buy_and_burn: decodeBoostBurn,
    sweep_protocol_fee: withAllAccounts((call) => decodeSweep(call, 'protocol')),
    sweep_creator_fee: withAllAccounts((call) => decodeSweep(call, 'creator')),
    admin_cto_pool: withAllAccounts(decodeCreatorChange),
    admin_set_coin_creator: withAllAccounts(decodeCreatorChange),
    migrate_pool_coin_creator: withAllAccounts(decodeCreatorChange),
    set_coin_creator: withAllAccounts(decodeCreatorChange),
  },
});

const POOL = {
  pool: 'pool',
  vaults: ['pool_base_token_account', 'pool_quote_token_account'],
  lpMint: 'lp_mint',
} as const;

function decodeLiquidity(call: ProgramCall<PoolAccount | 'user'>): DecodeResult {
  const accounts = inPoolOrder(call, liquidityAccounts(call, { ...POOL, provider: 'user' }));
  return resultOf(readLiquidity(call.view, call.instruction, accounts));
}

function decodeCreatePool(call: ProgramCall<PoolAccount | 'creator'>): DecodeResult {
  const accounts = inPoolOrder(call, liquidityAccounts(call, { ...POOL, provider: 'creator' }));
  return resultOf(readPoolCreated(call.view, call.instruction, accounts));
}

type PoolAccount = 'pool' | 'lp_mint' | (typeof POOL.vaults)[number];

function inPoolOrder({ view }: ProgramCall<never>, accounts: LiquidityAccounts): LiquidityAccounts {
  const [base, quote] = accounts.vaults;
  return { ...accounts, isBaseFirst: isOwnBase(view, base, quote) };
}
