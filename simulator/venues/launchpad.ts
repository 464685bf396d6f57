import type { Address } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Keyring } from '../chain/keyring.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { Market } from './market.ts';
import type { TradeStyles } from './trade-style.ts';

/** What venues need to make addresses. A `World` is one. */
export interface VenueContext {
  readonly keyring: Keyring;
  readonly tokenAccounts: TokenAccounts;
  /** How wallets call pump's programs; default the first way for everybody. */
  readonly tradeStyleOf?: TradeStyles;
}

/** How a token calls itself. */
export interface TokenText {
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

/** An AMM pool whose liquidity people can add to and take back. */
export interface LiquidityPool extends Market {
  /** Null where positions are not tokens. */
  readonly lpMint: Address | null;
  /** Adds at the pool's own ratio, at most these amounts. The provider's token accounts exist. */
  addLiquidity(execution: Execution, provider: Address, baseRaw: bigint, quoteRaw: bigint): void;
  /** Gives LP tokens back for their share of both sides. */
  removeLiquidity(execution: Execution, provider: Address, lpRaw: bigint): void;
}

/** A pool that is to be made. */
export interface PlannedPool {
  readonly pool: LiquidityPool;
  /** Who signs the creation beside the creator. */
  readonly createSigners: readonly Address[];
  /** Invokes the venue's creation with the first liquidity; the creator gets the LP tokens. */
  create(execution: Execution, creator: Address, baseRaw: bigint, quoteRaw: bigint): void;
}

/** A token that is to be launched on a bonding curve. */
export interface PlannedLaunch {
  readonly mint: Address;
  readonly creator: Address;
  readonly text: TokenText;
  readonly curve: Market;
  /** Where the liquidity goes when the curve is complete; open from then on. */
  readonly migratedPool: LiquidityPool;
  /** Who signs the creation beside the creator: the mint. */
  readonly createSigners: readonly Address[];
  create(execution: Execution): void;
  isComplete(ledger: Ledger): boolean;
  /** Anybody may call it on a complete curve. */
  migrate(execution: Execution, caller: Address): void;
}
