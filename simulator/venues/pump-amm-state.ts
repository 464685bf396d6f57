import type { Address } from '../../src/model/units.ts';
import { type Execution, MISSING_ACCOUNT, ProgramFailure } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { PoolAddresses } from './pump-amm-accounts.ts';
import type { PoolMoment } from './pump-amm-events.ts';
import type { PoolReserves } from './pump-amm-math.ts';

/** What the program keeps in a pool's account beside addresses. */
export interface PumpAmmState {
  /** LP tokens ever made less those withdrawn; burning them elsewhere does not count. */
  readonly lpSupplyRaw: bigint;
  /** Quote set aside at the start, with which the pool goes on pricing. */
  readonly boostRaw: bigint;
  /** Fees that wait in the quote vault, with which it does not. */
  readonly protocolFeesRaw: bigint;
  readonly creatorFeesRaw: bigint;
}

const NOTHING_WAITS = { boostRaw: 0n, protocolFeesRaw: 0n, creatorFeesRaw: 0n } as const;

/** Signed: what is added to the quote vault for the price. */
export function virtualQuoteOf({
  boostRaw,
  protocolFeesRaw,
  creatorFeesRaw,
}: PumpAmmState): bigint {
  return boostRaw - protocolFeesRaw - creatorFeesRaw;
}

/** What stands in a pool's account; null before it is created. */
export function poolState(ledger: Ledger, pool: Address): PumpAmmState | null {
  return ledger.get(pool).state as PumpAmmState | null;
}

/** The same, failing as the program does before it is created. */
export function openPoolState(ledger: Ledger, pool: Address): PumpAmmState {
  const state = poolState(ledger, pool);
  if (state === null) throw new ProgramFailure(MISSING_ACCOUNT, 'AccountNotInitialized');
  return state;
}

export function setLpSupply(execution: Execution, pool: Address, lpSupplyRaw: bigint): void {
  const before = poolState(execution.ledger, pool) ?? NOTHING_WAITS;
  const state: PumpAmmState = { ...before, lpSupplyRaw };
  execution.change(pool, { state });
}

/** What a pool prices with: its vaults, and the signed virtual quote. */
export function effectivePoolReserves(ledger: Ledger, addresses: PoolAddresses): PoolReserves {
  const { baseRaw, quoteRaw } = poolReserves(ledger, addresses);
  const state = poolState(ledger, addresses.pool);
  return { baseRaw, quoteRaw: quoteRaw + (state === null ? 0n : virtualQuoteOf(state)) };
}

/** What a pool's token accounts hold; nothing before they exist. */
export function poolReserves(
  ledger: Ledger,
  { baseVault, quoteVault }: PoolAddresses,
): PoolReserves {
  return {
    baseRaw: ledger.heldRaw(baseVault),
    quoteRaw: ledger.heldRaw(quoteVault),
  };
}

/** Who acts, and what pool and user hold; throws MissingAccount where the user has no account. */
export function poolMoment(
  { ledger, clock }: Execution,
  addresses: PoolAddresses,
  tokenAccounts: TokenAccounts,
  user: Address,
): PoolMoment {
  const userBase = tokenAccounts.of(user, addresses.baseMint);
  const userQuote = tokenAccounts.of(user, addresses.quoteMint);
  return {
    unixTime: clock.unixTime,
    pool: addresses.pool,
    user,
    userBase,
    userQuote,
    held: {
      baseRaw: ledger.token(userBase).amountRaw,
      quoteRaw: ledger.token(userQuote).amountRaw,
    },
    reserves: poolReserves(ledger, addresses),
  };
}
