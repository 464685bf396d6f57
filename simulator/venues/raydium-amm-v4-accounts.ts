import { type Address, asAddress } from '../../src/model/units.ts';
import type { Keyring } from '../chain/keyring.ts';

export const RAYDIUM_AMM_V4_PROGRAM = asAddress('675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8');
/** Owns the vaults and the LP mints of all pools. */
export const RAYDIUM_AMM_V4_AUTHORITY = asAddress('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1');
/** Receives the fee for a new pool, as wrapped SOL. */
export const RAYDIUM_AMM_V4_FEES = asAddress('7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5');
export const MARKET_PROGRAM = asAddress('srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX');

/** Accounts of a pool. Coin is the base, pc the quote. */
export interface AmmAccounts {
  readonly pool: Address;
  readonly openOrders: Address;
  readonly targetOrders: Address;
  readonly lpMint: Address;
  readonly coinMint: Address;
  readonly pcMint: Address;
  readonly coinVault: Address;
  readonly pcVault: Address;
  readonly withdrawQueue: Address;
  readonly tempLp: Address;
  readonly market: Address;
  /** Bids, asks, event queue, coin vault, pc vault and vault signer of the market. */
  readonly marketAccounts: readonly [Address, Address, Address, Address, Address, Address];
}

export function drawAmmAccounts(keyring: Keyring, coinMint: Address, pcMint: Address): AmmAccounts {
  const draw = () => keyring.account();
  return {
    pool: draw(),
    openOrders: draw(),
    targetOrders: draw(),
    lpMint: draw(),
    coinMint,
    pcMint,
    coinVault: draw(),
    pcVault: draw(),
    withdrawQueue: draw(),
    tempLp: draw(),
    market: draw(),
    marketAccounts: [draw(), draw(), draw(), draw(), draw(), draw()],
  };
}

/** The program's data of a pool in addition to its vaults. */
export interface AmmState {
  /** LP tokens by the program's count, including those at the start that were never minted. */
  readonly lpRaw: bigint;
}

/** Error codes of the program. */
export const AMM_ERROR = {
  invalidInput: 29,
  exceededSlippage: 30,
  notAllowZeroLp: 50,
} as const;
