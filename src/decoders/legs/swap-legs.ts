import type { Instruction } from '../../model/instruction.ts';
import type { Venue } from '../../model/program.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { Swap } from '../../model/swap.ts';
import { type Address, asRawAmount, type RawAmount } from '../../model/units.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import { type TraderAccounts, traderOf } from '../transaction/trader.ts';
import { changeOf, type TransactionView } from '../transaction/transaction-view.ts';
import type { Reading } from './decoder.ts';
import { orientPair } from './pool-pair.ts';

/** Accounts of a swap instruction, as key indices of the transaction. */
export interface SwapAccounts extends TraderAccounts {
  readonly venue: Venue;
  readonly pool: number;
  /** The user's two token accounts, in any order. */
  readonly userAccounts: readonly [number, number];
  /** True: the first vault holds the launched token, which is the base regardless of the mints. */
  readonly isBaseFirst?: boolean;
  /** The movements of this swap, when they are not all those below its instruction. */
  readonly movements?: readonly TokenMovement[];
  /**
   * Several pools share the vaults, so a vault's balance does not show the reserves of this pool.
   */
  readonly areVaultsShared?: boolean;
}

/** Data that only the venue's own event provides. */
export interface SwapExtras {
  readonly feeQuoteRaw?: RawAmount | null;
  readonly virtualReserves?: { readonly base: RawAmount; readonly quote: RawAmount } | null;
}

export type SwapReading = Reading<Swap>;

const NOTHING: SwapReading = { status: 'nothing' };

/**
 * Reads a swap from the token transfers below its instruction: the amounts the two vaults received
 * and paid. The direction comes from the vaults, never from arguments.
 */
export function readSwap(
  view: TransactionView,
  instruction: Instruction,
  accounts: SwapAccounts,
  extras: SwapExtras = {},
): SwapReading {
  const [one, other] = accounts.vaults;
  if (one < 0 || other < 0 || accounts.pool < 0) return malformed('too few accounts');
  const movements = accounts.movements ?? view.tokenMovementsUnder(instruction);
  const first = deltaOf(movements, one);
  const second = deltaOf(movements, other);
  if (first === 0n && second === 0n) return NOTHING;
  if (first === 0n || second === 0n) return malformed('only one vault moved');
  if (first > 0n === second > 0n) return malformed('both vaults moved the same way');
  const pair = orientPair(view, one, other, accounts.isBaseFirst);
  if (typeof pair === 'string') return malformed(pair);
  const poolBaseDelta = pair.base === one ? first : second;
  const own = userAccountsOf(view, movements, accounts);
  const swap: Swap = {
    kind: 'swap',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: accounts.venue,
    pool: view.transaction.keys.at(accounts.pool),
    baseMint: pair.baseMint,
    quoteMint: pair.quoteMint,
    baseDecimals: pair.baseDecimals,
    quoteDecimals: pair.quoteDecimals,
    trader: traderOf(view, accounts, movements),
    side: poolBaseDelta < 0n ? 'buy' : 'sell',
    poolBaseDelta: asRawAmount(poolBaseDelta),
    poolQuoteDelta: asRawAmount(pair.base === one ? second : first),
    traderBaseDelta: userDelta(movements, own, pair.baseMint),
    traderQuoteDelta: userDelta(movements, own, pair.quoteMint),
    reserves: accounts.areVaultsShared
      ? null
      : reservesOf(view, instruction, pair.base, pair.quote, extras),
    feeQuoteRaw: extras.feeQuoteRaw ?? null,
    router: view.routerOf(instruction),
    isIntermediateHop: false,
    isAtomicRoundTrip: false,
    isPureArbitrage: false,
    quarantine: contradictionOf(view, pair.base, pair.quote),
  };
  return { status: 'event', event: swap };
}

/** Signed net change of one account by the movements. */
export function deltaOf(movements: readonly TokenMovement[], accountIndex: number): bigint {
  let delta = 0n;
  for (const movement of movements) delta += changeOf(movement, accountIndex);
  return delta;
}

/** Pool reserves after the instruction; null when the record has no balances of the vaults. */
export function reservesOf(
  view: TransactionView,
  instruction: Instruction,
  baseVault: number,
  quoteVault: number,
  extras: SwapExtras = {},
): Reserves | null {
  const base = view.tokenBalanceAfter(baseVault, instruction);
  const quote = view.tokenBalanceAfter(quoteVault, instruction);
  if (base === null || quote === null) return null;
  return {
    base: asRawAmount(base),
    quote: asRawAmount(quote),
    virtualBase: extras.virtualReserves?.base ?? null,
    virtualQuote: extras.virtualReserves?.quote ?? null,
  };
}

function malformed(reason: string): SwapReading {
  return { status: 'malformed', reason };
}

/**
 * The user's accounts: the named ones, and any others that exchanged tokens with the vaults for the
 * user.
 */
function userAccountsOf(
  view: TransactionView,
  movements: readonly TokenMovement[],
  accounts: SwapAccounts,
): ReadonlySet<number> {
  const own = new Set<number>(accounts.userAccounts.filter((index) => index >= 0));
  const vaults = new Set(accounts.vaults);
  const owners = new Set<Address | null>();
  for (const movement of movements) {
    if (vaults.has(movement.destination) && !vaults.has(movement.source)) {
      own.add(movement.source);
      owners.add(view.tokenAccount(movement.source)?.owner ?? null);
    }
  }
  owners.delete(null);
  for (const movement of movements) {
    const owner = view.tokenAccount(movement.destination)?.owner ?? null;
    if (vaults.has(movement.source) && owners.has(owner)) own.add(movement.destination);
  }
  return own;
}

function userDelta(
  movements: readonly TokenMovement[],
  own: ReadonlySet<number>,
  mint: Address,
): RawAmount {
  let delta = 0n;
  for (const movement of movements) {
    if (movement.mint !== mint || movement.kind !== 'transfer') continue;
    if (own.has(movement.destination)) delta += movement.amount - (movement.fee ?? 0n);
    if (own.has(movement.source)) delta -= movement.amount;
  }
  return asRawAmount(delta);
}

/** Why the legs are inconsistent, or null. */
function contradictionOf(view: TransactionView, base: number, quote: number): string | null {
  if (view.isReconciled(base) === false) return 'base vault balance contradicts its transfers';
  if (view.isReconciled(quote) === false) return 'quote vault balance contradicts its transfers';
  return null;
}
