import { type Address, asAddress } from '../../src/model/units.ts';
import { bytesOf, type Keyring } from '../chain/keyring.ts';

export const RAYDIUM_CPMM_PROGRAM = asAddress('CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C');
/** Owns the vaults and the LP mints of all pools. */
export const RAYDIUM_CPMM_AUTHORITY = asAddress('GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL');
/** Receives the fee for a new pool, as wrapped SOL. */
export const RAYDIUM_CPMM_FEES = asAddress('DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8');

/** The fee rates of a configuration of the program, in millionths. */
export interface CpmmConfig {
  readonly address: Address;
  readonly tradeFeeRate: bigint;
  /** Shares of the trade fee. */
  readonly protocolFeeRate: bigint;
  readonly fundFeeRate: bigint;
}

/**
 * The program's first configuration: 0.25 %, of which 12 % and 4 % are reserved for protocol and
 * fund.
 */
export const CPMM_CONFIG: CpmmConfig = {
  address: asAddress('D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2'),
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
};

/** One of a pool's two tokens. */
export interface CpmmSide {
  readonly mint: Address;
  readonly vault: Address;
}

/** Accounts of a pool. The program orders the sides by the bytes of their mints. */
export interface CpmmAccounts {
  readonly pool: Address;
  readonly lpMint: Address;
  readonly observation: Address;
  readonly base: CpmmSide;
  readonly quote: CpmmSide;
  readonly isBaseFirst: boolean;
}

export function drawCpmmAccounts(
  keyring: Keyring,
  baseMint: Address,
  quoteMint: Address,
): CpmmAccounts {
  return {
    pool: keyring.account(),
    lpMint: keyring.account(),
    observation: keyring.account(),
    base: { mint: baseMint, vault: keyring.account() },
    quote: { mint: quoteMint, vault: keyring.account() },
    isBaseFirst: Buffer.compare(bytesOf(baseMint), bytesOf(quoteMint)) < 0,
  };
}

/** The two sides of a pair, token 0 first. */
export function inProgramOrder<Item>(
  { isBaseFirst }: Pick<CpmmAccounts, 'isBaseFirst'>,
  base: Item,
  quote: Item,
): readonly [Item, Item] {
  return isBaseFirst ? [base, quote] : [quote, base];
}

/** Fees in the vaults that are not part of the reserves. */
export interface CpmmState {
  /** LP tokens by the program's count, including the hundred that were never minted. */
  readonly lpRaw: bigint;
  readonly baseFeesRaw: bigint;
  readonly quoteFeesRaw: bigint;
}

/** Error codes of the program. */
export const CPMM_ERROR = {
  invalidInput: 6_003,
  exceededSlippage: 6_005,
  zeroTradingTokens: 6_006,
  initLpAmountTooLess: 6_009,
} as const;
