import type { Address } from '../../src/model/units.ts';
import { type Execution, MISSING_ACCOUNT, ProgramFailure } from '../chain/execution.ts';
import type { Ledger } from '../chain/ledger.ts';
import type { TokenAccounts } from '../programs/associated-token.ts';
import type { PoolAddresses } from './pump-amm-accounts.ts';
import type { PoolMoment } from './pump-amm-events.ts';
import type { PoolReserves } from './pump-amm-math.ts';

/** The program's data in a pool's account, except addresses. */
export interface PumpAmmState {
  /** LP tokens minted minus those withdrawn; burning them elsewhere does not count. */
  readonly lpSupplyRaw: bigint;
  /** Quote set aside at the start, which the pool still includes in its price. */
  readonly boostRaw: bigint;
  /** Fees kept in the quote vault, which are not part of the price. */
  readonly protocolFeesRaw: bigint;
  readonly creatorFeesRaw: bigint;
}

const NOTHING_WAITS = { boostRaw: 0n, protocolFeesRaw: 0n, creatorFeesRaw: 0n } as const;

/** Signed: the amount added to the quote vault for the price. */
export function virtualQuoteOf({
  boostRaw,
  protocolFeesRaw,
  creatorFeesRaw,
}: PumpAmmState): bigint {
  return boostRaw - protocolFeesRaw - creatorFeesRaw;
}

/** The contents of a pool's account; null before it is created. */
export function poolState(ledger: Ledger, pool: Address): PumpAmmState | null {
  return ledger.get(pool).state as PumpAmmState | null;
}

/** The same, but fails like the program before the pool is created. */
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

/** The reserves that determine a pool's price: its vaults, and the signed virtual quote. */
export function effectivePoolReserves(ledger: Ledger, addresses: PoolAddresses): PoolReserves {
  const { baseRaw, quoteRaw } = poolReserves(ledger, addresses);
  const state = poolState(ledger, addresses.pool);
  return { baseRaw, quoteRaw: quoteRaw + (state === null ? 0n : virtualQuoteOf(state)) };
}

/** The balances of a pool's token accounts; zero before they exist. */
export function poolReserves(
  ledger: Ledger,
  { baseVault, quoteVault }: PoolAddresses,
): PoolReserves {
  return {
    baseRaw: ledger.heldRaw(baseVault),
    quoteRaw: ledger.heldRaw(quoteVault),
  };
}

/**
 * The user, and the balances of pool and user. Throws MissingAccount if the user has no account.
 */
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
