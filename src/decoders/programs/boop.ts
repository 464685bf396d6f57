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
import { BorshReader } from '../../model/borsh-reader.ts';
import type { Instruction } from '../../model/instruction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import { readNativeCurveSwap } from '../families/native-curve-swap.ts';
import {
  type DecodeResult,
  type Decoder,
  events,
  IGNORED,
  malformed,
  resultOf,
  unknown,
} from '../legs/decoder.ts';
import { mintedSupply } from '../legs/minted-supply.ts';
import { startingReserves } from '../legs/starting-reserves.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { anchorLayout } from '../transaction/anchor-layout.ts';
import { accountsOf, instructionTable } from '../transaction/program-layout.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';

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

type Layout = (typeof boopLayout)['instructions'];

const INSTRUCTIONS = instructionTable(boopLayout);
const PROGRAM_ID = 'boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4' as Address;

export const boop: Decoder = {
  name: 'boop',
  programId: PROGRAM_ID,
  isVenue: true,
  decode(instruction, view) {
    const kind = INSTRUCTIONS.get(instruction.data);
    switch (kind) {
      case 'buy_token':
        return decodeBuy(instruction, view);
      case 'sell_token':
        return decodeSale(instruction, view);
      case 'deploy_bonding_curve':
      case 'deploy_bonding_curve_fallback':
        return decodeDeploy(instruction, view);
      case 'graduate':
        return decodeGraduate(instruction, view);
      case 'create_raydium_pool':
      case 'create_raydium_random_pool':
      case 'create_meteora_pool':
        return decodePool(instruction, view, boopLayout.instructions[kind]);
      case 'ignored':
        return IGNORED;
      default:
        return unknown(instruction.data, 8);
    }
  },
};

function decodeBuy(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, boopLayout.instructions.buy_token);
  return decodeTrade(instruction, view, at, at.buyer, at.recipient_token_account, at.buyer);
}

function decodeSale(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, boopLayout.instructions.sell_token);
  return decodeTrade(instruction, view, at, at.seller, at.seller_token_account, at.recipient);
}

function decodeTrade(
  instruction: Instruction,
  view: TransactionView,
  at: Record<
    'mint' | 'trading_fees_vault' | 'bonding_curve_vault' | 'bonding_curve_sol_vault',
    number
  >,
  user: number,
  userBase: number,
  recipient: number,
): DecodeResult {
  const reading = readNativeCurveSwap(view, instruction, {
    venue: 'boop',
    pool: at.bonding_curve_sol_vault,
    mint: at.mint,
    baseVault: at.bonding_curve_vault,
    user,
    userBase,
    recipient,
    feeAccounts: [at.trading_fees_vault],
  });
  return resultOf(reading);
}

/** Arguments: creator, salt. */
function decodeDeploy(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, boopLayout.instructions.deploy_bonding_curve);
  if (Object.values(at).some((index) => index < 0)) return malformed('too few accounts');
  const reader = new BorshReader(instruction.data, 8);
  const creator = reader.address();
  if (reader.isShort) return malformed('arguments end early');
  const { keys } = view.transaction;
  const mint = keys.at(at.mint);
  return events({
    kind: 'launch',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'boop',
    mint,
    quoteMint: WRAPPED_SOL,
    pool: keys.at(at.bonding_curve_sol_vault),
    creator,
    tokenProgram: keys.at(at.token_program),
    supply: mintedSupply(view, instruction, mint),
    reserves: startingReserves(view, instruction, at.bonding_curve_vault),
  });
}

function decodeGraduate(instruction: Instruction, view: TransactionView): DecodeResult {
  const at = accountsOf(instruction, boopLayout.instructions.graduate);
  if (Object.values(at).some((index) => index < 0)) return malformed('too few accounts');
  const { keys } = view.transaction;
  return events({
    kind: 'curveComplete',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'boop',
    mint: keys.at(at.mint),
    pool: keys.at(at.bonding_curve_sol_vault),
  });
}

/** The outflow of the curve's two vaults went into the pool, by a call to the pool's program. */
function decodePool(
  instruction: Instruction,
  view: TransactionView,
  layout: Layout['create_raydium_pool'] | Layout['create_meteora_pool'],
): DecodeResult {
  const at = accountsOf(instruction, layout);
  if (Object.values(at).some((index) => index < 0)) return malformed('too few accounts');
  const { keys } = view.transaction;
  const first = keys.at(at.token_0_mint);
  const mint = first === WRAPPED_SOL ? keys.at(at.token_1_mint) : first;
  const curve = solVaultOf(mint);
  if (curve === null) return malformed('no SOL vault can be derived');
  const movements = view.tokenMovementsWithin(instruction);
  const baseRaw = -deltaOf(movements, at.bonding_curve_vault);
  const quoteRaw = -deltaOf(movements, at.bonding_curve_wsol_vault);
  if (baseRaw === 0n && quoteRaw === 0n) return IGNORED;
  if (baseRaw < 0n || quoteRaw < 0n) return malformed('the curve received tokens');
  return events({
    kind: 'migrate',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'boop',
    mint,
    fromPool: curve,
    toPool: keys.at(at.pool),
    baseRaw: baseRaw as RawAmount,
    quoteRaw: quoteRaw as RawAmount,
  });
}

const SOL_VAULT_SEED = new TextEncoder().encode('bonding_curve_sol_vault');

function solVaultOf(mint: Address): Address | null {
  const program = decodeBase58(PROGRAM_ID);
  const seed = decodeBase58(mint);
  if (program === null || seed === null) return null;
  const address = programAddress([SOL_VAULT_SEED, seed], program);
  return address === null ? null : (encodeBase58(address) as Address);
}
