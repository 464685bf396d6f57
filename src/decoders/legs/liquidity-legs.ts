import type { Liquidity, PoolCreated } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Reserves } from '../../model/reserves.ts';
import { asRawAmount, type RawAmount } from '../../model/units.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import type { Reading } from './decoder.ts';
import { orientPair, type PoolPair } from './pool-pair.ts';
import { deltaOf, reservesOf } from './swap-legs.ts';

/** Accounts of a liquidity instruction, as key indices of the transaction. */
export interface LiquidityAccounts {
  readonly venue: Venue;
  readonly pool: number;
  readonly vaults: readonly [number, number];
  /** True: the first vault holds the launched token, which is the base regardless of the mints. */
  readonly isBaseFirst?: boolean;
  readonly provider: number;
  /** -1 for pools whose positions are not LP tokens. */
  readonly lpMint: number;
  /** The movements of this event, when they are not all those below its instruction. */
  readonly movements?: readonly TokenMovement[];
  /**
   * Several pools share the vaults, so a vault's balance does not show the reserves of this pool.
   */
  readonly areVaultsShared?: boolean;
}

/**
 * Reads the changes of the two vaults by a deposit or a withdrawal. One-sided changes are allowed.
 */
export function readLiquidity(
  view: TransactionView,
  instruction: Instruction,
  accounts: LiquidityAccounts,
): Reading<Liquidity> {
  const pair = pairOf(view, accounts);
  if (typeof pair === 'string') return { status: 'malformed', reason: pair };
  const movements = accounts.movements ?? view.tokenMovementsUnder(instruction);
  const poolBaseDelta = deltaOf(movements, pair.base);
  const poolQuoteDelta = deltaOf(movements, pair.quote);
  if (poolBaseDelta === 0n && poolQuoteDelta === 0n) return { status: 'nothing' };
  return {
    status: 'event',
    event: {
      kind: 'liquidity',
      outerIx: instruction.outerIx,
      innerIx: instruction.innerIx,
      venue: accounts.venue,
      pool: view.transaction.keys.at(accounts.pool),
      baseMint: pair.baseMint,
      quoteMint: pair.quoteMint,
      provider: view.transaction.keys.at(accounts.provider),
      poolBaseDelta: asRawAmount(poolBaseDelta),
      poolQuoteDelta: asRawAmount(poolQuoteDelta),
      lpDelta: lpDeltaOf(view, movements, accounts.lpMint),
      reserves: ownReserves(view, instruction, accounts, pair),
    },
  };
}

/**
 * Reads the first liquidity of a new pool: the balances of its vaults after the instruction, since
 * old programs had them filled beforehand; or the amounts moved when the balances are unknown.
 */
export function readPoolCreated(
  view: TransactionView,
  instruction: Instruction,
  accounts: LiquidityAccounts,
): Reading<PoolCreated> {
  const pair = pairOf(view, accounts);
  if (typeof pair === 'string') return { status: 'malformed', reason: pair };
  const movements = accounts.movements ?? view.tokenMovementsUnder(instruction);
  const reserves = ownReserves(view, instruction, accounts, pair);
  return {
    status: 'event',
    event: {
      kind: 'poolCreated',
      outerIx: instruction.outerIx,
      innerIx: instruction.innerIx,
      venue: accounts.venue,
      pool: view.transaction.keys.at(accounts.pool),
      baseMint: pair.baseMint,
      quoteMint: pair.quoteMint,
      baseDecimals: pair.baseDecimals,
      quoteDecimals: pair.quoteDecimals,
      creator: view.transaction.keys.at(accounts.provider),
      vaultOwner: view.tokenAccount(pair.base)?.owner ?? null,
      baseRaw: asRawAmount(reserves?.base ?? deltaOf(movements, pair.base)),
      quoteRaw: asRawAmount(reserves?.quote ?? deltaOf(movements, pair.quote)),
      lpMint: accounts.lpMint < 0 ? null : view.transaction.keys.at(accounts.lpMint),
      lpRaw: lpDeltaOf(view, movements, accounts.lpMint),
    },
  };
}

function pairOf(view: TransactionView, accounts: LiquidityAccounts): PoolPair | string {
  const [one, other] = accounts.vaults;
  if (one < 0 || other < 0 || accounts.pool < 0 || accounts.provider < 0) return 'too few accounts';
  return orientPair(view, one, other, accounts.isBaseFirst);
}

function ownReserves(
  view: TransactionView,
  instruction: Instruction,
  accounts: LiquidityAccounts,
  { base, quote }: PoolPair,
): Reserves | null {
  return accounts.areVaultsShared ? null : reservesOf(view, instruction, base, quote);
}

/** LP tokens minted minus burned by the instruction. */
function lpDeltaOf(
  view: TransactionView,
  movements: readonly TokenMovement[],
  lpMintIndex: number,
): RawAmount | null {
  if (lpMintIndex < 0) return null;
  const lpMint = view.transaction.keys.at(lpMintIndex);
  let delta = 0n;
  for (const movement of movements) {
    if (movement.mint !== lpMint) continue;
    if (movement.kind === 'mintTo') delta += movement.amount;
    if (movement.kind === 'burn') delta -= movement.amount;
  }
  return asRawAmount(delta);
}
