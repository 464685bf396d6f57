import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Keyring } from '../chain/keyring.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { TokenText } from '../programs/token-text.ts';
import type { Market } from './market.ts';
import type { TradeStyles } from './trade-style.ts';

/** What venues need to derive addresses, for example a `World`. */
export interface VenueContext {
  readonly keyring: Keyring;
  readonly tokenAccounts: TokenAccounts;
  /** How wallets call pump's programs; default the first form for all. */
  readonly tradeStyleOf?: TradeStyles;
}

/** An AMM pool whose liquidity can be added and withdrawn. */
export interface LiquidityPool extends Market {
  /** Null if positions are not tokens. */
  readonly lpMint: Address | null;
  /**
   * Adds liquidity at the pool's own ratio, at most these amounts. The provider's token accounts
   * must exist.
   */
  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void;
  /** Redeems LP tokens for their share of both sides. */
  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void;
}

/** A planned pool. */
export interface PlannedPool {
  readonly pool: LiquidityPool;
  /** Signers of the creation in addition to the creator. */
  readonly createSigners: readonly Address[];
  /** Invokes the venue's creation with the first liquidity; the creator receives the LP tokens. */
  create(execution: Execution, creator: Address, baseRaw: bigint, quoteRaw: bigint): void;
}

/** A token planned for launch on a bonding curve. */
export interface PlannedLaunch {
  readonly mint: Address;
  readonly creator: Address;
  readonly text: TokenText;
  readonly curve: Market;
  /** The pool to which the liquidity migrates; open after the migration. */
  readonly migratedPool: LiquidityPool;
  /** Signers of the creation in addition to the creator: the mint. */
  readonly createSigners: readonly Address[];
  create(execution: Execution): void;
  isComplete(ledger: Ledger): boolean;
  /** Anyone may call it on a complete curve. */
  migrate(execution: Execution, caller: Address): void;
}
