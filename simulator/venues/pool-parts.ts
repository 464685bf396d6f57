import { quoteOf } from '../../src/model/quote-mints.ts';
import type { Side } from '../../src/model/swap.ts';
import { type Address, asAddress } from '../../src/model/units.ts';
import type { Execution } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import { createAccount } from '../programs/system.ts';
import {
  initializeTokenAccount,
  TOKEN_ACCOUNT_SPACE,
  transferTokensChecked,
} from '../programs/token.ts';
import type { LiquidityPool, PlannedPool } from './launchpad.ts';
import type { Market, Reserves } from './market.ts';

export const RENT_SYSVAR = asAddress('SysvarRent111111111111111111111111111111111');

/** The two mints of a planned pool. */
export interface PoolPair {
  readonly baseMint: Address;
  readonly quoteMint: Address;
}

/** Checks that the pair is in the model's order of base and quote. Throws RangeError otherwise. */
export function orderedPair({ baseMint, quoteMint }: PoolPair): PoolPair {
  if (quoteOf(baseMint, quoteMint) !== quoteMint) {
    throw new RangeError(`${baseMint} is the quote of a pair with ${quoteMint}`);
  }
  return { baseMint, quoteMint };
}

/** A planned pool with an `initialize` that also pays in the first liquidity. */
export function plannedPool<Pool extends LiquidityPool & { initialize: PlannedPool['create'] }>(
  pool: Pool,
): PlannedPool & { readonly pool: Pool } {
  return { pool, createSigners: [], create: pool.initialize.bind(pool) };
}

/** What two vaults hold. */
export function vaultReserves(ledger: Ledger, baseVault: Address, quoteVault: Address): Reserves {
  return { baseRaw: ledger.heldRaw(baseVault), quoteRaw: ledger.heldRaw(quoteVault) };
}

/** Raw quote units per raw base unit. */
export function priceOf({ baseRaw, quoteRaw }: Reserves): number {
  return Number(quoteRaw) / Number(baseRaw);
}

/**
 * The items of base and quote as those of what a trader pays in and gets out; and those of in and
 * out as those of base and quote.
 */
export function inAndOut<Item>(side: Side, base: Item, quote: Item): readonly [Item, Item] {
  return side === 'buy' ? [quote, base] : [base, quote];
}

/** Whether the program has written the pool's account. */
export function hasState(ledger: Ledger, pool: Address): boolean {
  return ledger.get(pool).state !== null;
}

/** A wallet's account of a mint. Throws MissingAccount if there is none. */
export function ownTokens(
  ledger: Ledger,
  accounts: TokenAccounts,
  owner: Address,
  mint: Address,
): Address {
  const account = accounts.of(owner, mint);
  ledger.token(account);
  return account;
}

/** Moves quote from a pool or curve to an owner: lamports, or tokens of its quote mint. */
export function payQuote(
  execution: Execution,
  accounts: TokenAccounts,
  { pool, quoteMint, takesLamports }: Pick<Market, 'pool' | 'quoteMint' | 'takesLamports'>,
  { owner, amountRaw }: { readonly owner: Address; readonly amountRaw: bigint },
): void {
  if (takesLamports) {
    execution.moveLamports(pool, owner, amountRaw);
    return;
  }
  const [from, to] = [accounts.of(pool, quoteMint), accounts.of(owner, quoteMint)];
  transferTokensChecked(execution, { from, to, authority: pool, amountRaw });
}

/** Creates a pool's own token account. */
export function createVault(
  execution: Execution,
  payer: Address,
  vault: Address,
  mint: Address,
  owner: Address,
): void {
  const { program } = execution.ledger.get(mint);
  createAccount(execution, payer, vault, TOKEN_ACCOUNT_SPACE, program);
  initializeTokenAccount(execution, vault, mint, owner);
}

/** Reports a trade by what entered and left the vaults, without fees that are only kept there. */
export function reportTrade(
  execution: Execution,
  market: Pick<Market, 'venue' | 'pool' | 'baseMint' | 'quoteMint'>,
  trade: {
    readonly trader: Address | null;
    readonly side: Side;
    readonly baseRaw: bigint;
    readonly quoteRaw: bigint;
    readonly keptQuoteRaw?: bigint;
  },
): void {
  const { venue, pool, baseMint, quoteMint } = market;
  const { keptQuoteRaw = 0n, ...amounts } = trade;
  execution.report({
    kind: 'trade',
    venue,
    pool,
    baseMint,
    quoteMint,
    ...amounts,
    keptQuoteRaw,
  });
}

/** Reports what a provider added to the vaults or, negative, withdrew. */
export function reportLiquidity(
  execution: Execution,
  { pool }: Market,
  change: { readonly provider: Address; readonly baseRaw: bigint; readonly quoteRaw: bigint },
): void {
  execution.report({ kind: 'liquidity', pool, ...change });
}

/** Reports a new pool with the contents of its vaults. */
export function reportPool(execution: Execution, market: Market, creator: Address): void {
  const { venue, pool, baseMint, quoteMint } = market;
  const { baseRaw, quoteRaw } = market.reserves(execution.ledger);
  execution.report({
    kind: 'poolCreated',
    venue,
    pool,
    baseMint,
    quoteMint,
    creator,
    baseRaw,
    quoteRaw,
  });
}
