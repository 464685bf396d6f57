/**
 * Boop bonding curves, program boop8hVG….
 *
 * Everything that a trade moves is transferred: the tokens of the curve's vault and the lamports of
 * its separate SOL vault. The SOL vault's address identifies the curve here; when an instruction
 * does not name it, it is derived from the mint. `graduate` completes a curve and takes its
 * lamports; `create_raydium_pool` and similar instructions create the successor pool. Events of the
 * pool's own program below Boop's instructions (deposits, swaps, locks), and of Metaplex for the
 * metadata, are emitted by their decoders and ignored here.
 */

import { decodeBase58, encodeBase58 } from '../../lib/base58.ts';
import { programAddress } from '../../lib/program-address.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { type Address, asAddress } from '../../model/units.ts';
import { type NativeCurveAccounts, readNativeCurveSwap } from '../families/native-curve-swap.ts';
import { type DecodeResult, events, IGNORED, malformed, resultOf } from '../legs/decoder.ts';
import { toCurveComplete, toLaunch, toMigrate } from '../legs/launch-readers.ts';
import { type ProgramCall, venueDecoder, withAllAccounts } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { borshRecord } from '../transaction/borsh-record.ts';
import { DISCRIMINATOR_BYTES } from '../transaction/discriminator.ts';

const DEPLOY_ACCOUNTS = {
  mint: 0,
  bonding_curve_sol_vault: 3,
  bonding_curve_vault: 4,
  token_program: 8,
};
const RAYDIUM_POOL_ACCOUNTS = {
  pool: 3,
  token_0_mint: 4,
  token_1_mint: 5,
  bonding_curve_vault: 9,
  bonding_curve_wsol_vault: 10,
};

/**
 * Names and order follow the program's interface, except that Raydium's `pool_state` is called
 * `pool`.
 */
export const boopLayout = anchorLayout({
  instructions: {
    buy_token: {
      mint: 0,
      trading_fees_vault: 2,
      bonding_curve_vault: 3,
      bonding_curve_sol_vault: 4,
      recipient_token_account: 5,
      buyer: 6,
    },
    sell_token: {
      mint: 0,
      trading_fees_vault: 2,
      bonding_curve_vault: 3,
      bonding_curve_sol_vault: 4,
      seller_token_account: 5,
      seller: 6,
      recipient: 7,
    },
    deploy_bonding_curve: DEPLOY_ACCOUNTS,
    deploy_bonding_curve_fallback: DEPLOY_ACCOUNTS,
    graduate: { mint: 0, bonding_curve_sol_vault: 6 },
    create_raydium_pool: RAYDIUM_POOL_ACCOUNTS,
    create_raydium_random_pool: RAYDIUM_POOL_ACCOUNTS,
    create_meteora_pool: {
      pool: 5,
      token_0_mint: 9,
      token_1_mint: 10,
      bonding_curve_vault: 14,
      bonding_curve_wsol_vault: 15,
    },
  },
  ignoredInstructions: [
    'add_operators',
    'cancel_authority_transfer',
    'close_bonding_curve_vault',
    'collect_meteora_trading_fees',
    'collect_meteora_trading_fees_v2',
    'collect_trading_fees',
    'collect_trading_fees_v2',
    'complete_authority_transfer',
    'create_token',
    'create_token_fallback',
    'deposit_into_raydium',
    'initialize',
    'initiate_authority_transfer',
    'lock_raydium_liquidity',
    'remove_operators',
    'split_post_graduation_trading_fees',
    'split_trading_fees',
    'swap_sol_for_tokens_on_raydium',
    'swap_tokens_for_sol_on_raydium',
    'toggle_paused',
    'update_config',
  ],
  events: {},
  ignoredEvents: [],
});

const PROGRAM_ID = asAddress('boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4');

export const boop = venueDecoder({
  name: 'boop',
  programId: PROGRAM_ID,
  layout: boopLayout,
  readers: {
    buy_token: (call) => {
      const { buyer: user, recipient_token_account: userBase } = call.at;
      return decodeTrade(call, { user, userBase, recipient: user });
    },
    sell_token: (call) => {
      const { seller: user, seller_token_account: userBase, recipient } = call.at;
      return decodeTrade(call, { user, userBase, recipient });
    },
    deploy_bonding_curve: withAllAccounts(decodeDeploy),
    deploy_bonding_curve_fallback: withAllAccounts(decodeDeploy),
    graduate: withAllAccounts((call) => {
      const { mint, bonding_curve_sol_vault: pool } = call.at;
      return events(toCurveComplete(call, { mint, pool }));
    }),
    create_raydium_pool: withAllAccounts(decodePool),
    create_raydium_random_pool: withAllAccounts(decodePool),
    create_meteora_pool: withAllAccounts(decodePool),
  },
});

type TradeAccounts =
  | 'mint'
  | 'trading_fees_vault'
  | 'bonding_curve_vault'
  | 'bonding_curve_sol_vault';

function decodeTrade(
  { name, at, instruction, view }: ProgramCall<TradeAccounts>,
  trader: Pick<NativeCurveAccounts, 'user' | 'userBase' | 'recipient'>,
): DecodeResult {
  const reading = readNativeCurveSwap(view, instruction, {
    venue: name,
    pool: at.bonding_curve_sol_vault,
    mint: at.mint,
    baseVault: at.bonding_curve_vault,
    feeAccounts: [at.trading_fees_vault],
    ...trader,
  });
  return resultOf(reading);
}

/** A salt follows. */
const DEPLOY_ARGUMENTS = borshRecord({ creator: 'pubkey' });

function decodeDeploy(call: ProgramCall<keyof typeof DEPLOY_ACCOUNTS>): DecodeResult {
  const deployed = DEPLOY_ARGUMENTS.read(call.instruction.data, DISCRIMINATOR_BYTES);
  if (deployed === null) return malformed('arguments end early');
  const roles = {
    mint: 'mint',
    pool: 'bonding_curve_sol_vault',
    tokenProgram: 'token_program',
    baseVault: 'bonding_curve_vault',
    quote: null,
  } as const;
  return events(toLaunch(call, roles, deployed.creator));
}

/** The outflow of the curve's two vaults went into the pool, by a call to the pool's program. */
function decodePool(call: ProgramCall<keyof typeof RAYDIUM_POOL_ACCOUNTS>): DecodeResult {
  const { at, instruction, view } = call;
  const { keys } = view.transaction;
  const first = keys.at(at.token_0_mint);
  const mint = first === WRAPPED_SOL ? keys.at(at.token_1_mint) : first;
  const curve = solVaultOf(mint);
  if (curve === null) return malformed('no SOL vault can be derived');
  const movements = view.tokenMovementsWithin(instruction);
  const base = -deltaOf(movements, at.bonding_curve_vault);
  const quote = -deltaOf(movements, at.bonding_curve_wsol_vault);
  if (base === 0n && quote === 0n) return IGNORED;
  if (base < 0n || quote < 0n) return malformed('the curve received tokens');
  const pools = { mint, fromPool: curve, toPool: keys.at(at.pool) };
  return events(toMigrate(call, pools, { base, quote }));
}

const SOL_VAULT_SEED = new TextEncoder().encode('bonding_curve_sol_vault');

function solVaultOf(mint: Address): Address | null {
  const program = decodeBase58(PROGRAM_ID);
  const seed = decodeBase58(mint);
  if (program === null || seed === null) return null;
  const address = programAddress([SOL_VAULT_SEED, seed], program);
  return address === null ? null : asAddress(encodeBase58(address));
}
