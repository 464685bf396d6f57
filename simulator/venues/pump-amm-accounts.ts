import {
  ASSOCIATED_TOKEN_PROGRAM,
  SPL_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '../../src/model/program.ts';
import type { Side } from '../../src/model/swap.ts';
import type { Address } from '../../src/model/units.ts';
import { type AccountUse, paying, readOnly, signing, writable } from '../chain/account-use.ts';
import { bytesOf } from '../chain/keyring.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { VenueContext } from './launchpad.ts';
import { PUMP, PUMP_AMM, PUMP_FEES_PROGRAM } from './pump-program.ts';

/** Addresses of one pool, and the properties that determine its fees. */
export interface PoolAddresses {
  readonly pool: Address;
  readonly index: number;
  /** Signs the creation: a wallet, or for pools of curves an address of the curve's program. */
  readonly creator: Address;
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly lpMint: Address;
  readonly baseVault: Address;
  readonly quoteVault: Address;
  /** The recipient of creator fees; null if there is none. */
  readonly coinCreator: Address | null;
  /** The address whose token account collects them. */
  readonly coinCreatorVault: Address;
  /** Whether a curve migrated to this pool. */
  readonly isCanonical: boolean;
  /** That curve; the zero key for other pools. */
  readonly curve: Address;
  /** The coin's own rate of creator fees; null if the general schedule applies. */
  readonly ownCreatorBps: bigint | null;
  readonly isHolderReward: boolean;
  /** Owns the quote set aside for buybacks. */
  readonly boostAuthority: Address;
  readonly boostVault: Address;
}

export type PoolSetup = Pick<
  PoolAddresses,
  | 'index'
  | 'creator'
  | 'baseMint'
  | 'quoteMint'
  | 'coinCreator'
  | 'isCanonical'
  | 'curve'
  | 'ownCreatorBps'
  | 'isHolderReward'
>;

/** Derives a pool's addresses as the program does. */
export function poolAddresses(context: VenueContext, setup: PoolSetup): PoolAddresses {
  const { keyring, tokenAccounts } = context;
  const { index, creator, baseMint, quoteMint, coinCreator } = setup;
  const { program } = PUMP_AMM;
  const pool = keyring.derived(
    program,
    'pool',
    Uint8Array.of(index & 0xff, index >> 8),
    bytesOf(creator),
    bytesOf(baseMint),
    bytesOf(quoteMint),
  );
  const feeOwner = bytesOf(coinCreator ?? SYSTEM_PROGRAM);
  const boostAuthority = keyring.derived(program, 'boost_vault', bytesOf(pool));
  return {
    ...setup,
    pool,
    lpMint: keyring.derived(program, 'pool_lp_mint', bytesOf(pool)),
    baseVault: tokenAccounts.of(pool, baseMint),
    quoteVault: tokenAccounts.of(pool, quoteMint),
    coinCreatorVault: keyring.derived(program, 'creator_vault', feeOwner),
    boostAuthority,
    boostVault: tokenAccounts.of(boostAuthority, quoteMint),
  };
}

export interface Swapper {
  readonly side: Side;
  readonly trader: Address;
  readonly feeRecipient: Address;
}

/**
 * Accounts of `buy`, `buy_exact_quote_in` and `sell`, followed by the buyback recipient; sales have
 * no volume accounts.
 */
export function swapUses(
  addresses: PoolAddresses,
  ledger: Ledger,
  tokenAccounts: TokenAccounts,
  { side, trader, feeRecipient }: Swapper,
): readonly AccountUse[] {
  const { baseMint, quoteMint, coinCreatorVault } = addresses;
  const volumes = [
    readOnly(PUMP_AMM.globalVolume),
    writable(tokenAccounts.of(trader, PUMP_AMM.globalVolume)),
  ];
  return [
    ...traderUses(addresses, tokenAccounts, trader),
    readOnly(feeRecipient),
    writable(tokenAccounts.of(feeRecipient, quoteMint)),
    readOnly(ledger.get(baseMint).program),
    readOnly(ledger.get(quoteMint).program),
    readOnly(SYSTEM_PROGRAM),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
    writable(tokenAccounts.of(coinCreatorVault, quoteMint)),
    readOnly(coinCreatorVault),
    ...(side === 'buy' ? volumes : []),
    readOnly(PUMP_AMM.feeConfig),
    readOnly(PUMP_FEES_PROGRAM),
    readOnly(PUMP.buybackRecipient),
    writable(tokenAccounts.of(PUMP.buybackRecipient, quoteMint)),
  ];
}

/** Accounts of `buy_v2`, `buy_exact_quote_in_v2` and `sell_v2`, which keep fees in the pool. */
export function keptSwapUses(
  addresses: PoolAddresses,
  ledger: Ledger,
  tokenAccounts: TokenAccounts,
  trader: Address,
): readonly AccountUse[] {
  const { baseMint, quoteMint } = addresses;
  return [
    ...traderUses(addresses, tokenAccounts, trader),
    readOnly(ledger.get(baseMint).program),
    readOnly(ledger.get(quoteMint).program),
    readOnly(SYSTEM_PROGRAM),
    writable(tokenAccounts.of(trader, PUMP_AMM.globalVolume)),
    readOnly(PUMP_AMM.feeConfig),
    writable(tokenAccounts.of(PUMP.buybackRecipient, quoteMint)),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}

/** The pool, the trader, its token accounts and those of the pool, in the order of all swaps. */
function traderUses(
  { pool, baseMint, quoteMint, baseVault, quoteVault }: PoolAddresses,
  tokenAccounts: TokenAccounts,
  trader: Address,
): readonly AccountUse[] {
  return [
    writable(pool),
    paying(trader),
    readOnly(PUMP_AMM.globalConfig),
    readOnly(baseMint),
    readOnly(quoteMint),
    writable(tokenAccounts.of(trader, baseMint)),
    writable(tokenAccounts.of(trader, quoteMint)),
    writable(baseVault),
    writable(quoteVault),
  ];
}

/** The mints, a provider's accounts of them, and the vaults. */
function providerUses(
  { baseMint, quoteMint, lpMint, baseVault, quoteVault }: PoolAddresses,
  tokenAccounts: TokenAccounts,
  provider: Address,
): readonly AccountUse[] {
  return [
    readOnly(baseMint),
    readOnly(quoteMint),
    writable(lpMint),
    ...[baseMint, quoteMint, lpMint].map((mint) => writable(tokenAccounts.of(provider, mint))),
    writable(baseVault),
    writable(quoteVault),
  ];
}

/** Accounts of `deposit` and `withdraw`. */
export function liquidityUses(
  addresses: PoolAddresses,
  tokenAccounts: TokenAccounts,
  provider: Address,
): readonly AccountUse[] {
  return [
    writable(addresses.pool),
    readOnly(PUMP_AMM.globalConfig),
    signing(provider),
    ...providerUses(addresses, tokenAccounts, provider),
    readOnly(SPL_TOKEN_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}

/** Accounts of `create_pool`. */
export function createPoolUses(
  addresses: PoolAddresses,
  ledger: Ledger,
  tokenAccounts: TokenAccounts,
): readonly AccountUse[] {
  const { creator, baseMint, quoteMint } = addresses;
  return [
    writable(addresses.pool),
    readOnly(PUMP_AMM.globalConfig),
    paying(creator),
    ...providerUses(addresses, tokenAccounts, creator),
    readOnly(SYSTEM_PROGRAM),
    readOnly(TOKEN_2022_PROGRAM),
    readOnly(ledger.get(baseMint).program),
    readOnly(ledger.get(quoteMint).program),
    readOnly(ASSOCIATED_TOKEN_PROGRAM),
    readOnly(PUMP_AMM.eventAuthority),
    readOnly(PUMP_AMM.program),
  ];
}
