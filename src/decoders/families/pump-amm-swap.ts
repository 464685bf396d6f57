import type { Instruction } from '../../model/instruction.ts';
import type { Reserves } from '../../model/reserves.ts';
import type { Swap } from '../../model/swap.ts';
import { asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, malformed, resultOf } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { readSwap, type SwapAccounts } from '../legs/swap-legs.ts';
import type { TokenMovement } from '../transaction/token-movements.ts';
import type { TransactionView } from '../transaction/transaction-view.ts';
import { type PumpAmmTradeEvent, readTradeEvent } from './pump-amm-events.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';
import { isOwnBase } from './pump-amm-sides.ts';

/**
 * Whether the instruction's interface keeps fees in the pool, in which case only its event reports
 * them.
 */
export type FeeForm = 'paid' | 'kept';

/** A buy or a sell on one pool. */
export function decodePoolSwap(
  { at, instruction, view }: ProgramCall<keyof typeof pumpAmmLayout.instructions.buy.accounts>,
  isBuy: boolean,
  form: FeeForm,
): DecodeResult {
  const { BuyEvent, SellEvent } = pumpAmmLayout.events;
  const data = view.selfEventOf(instruction, (isBuy ? BuyEvent : SellEvent).discriminator);
  const event = data === null ? null : readTradeEvent(data, isBuy);
  if (data !== null && event === null) return malformed('swap event ends inside its fields');
  const accounts: PoolAccounts = {
    pool: at.pool,
    vaults: [at.pool_base_token_account, at.pool_quote_token_account],
    user: at.user,
    userAccounts: [at.user_base_token_account, at.user_quote_token_account],
    movements: view.tokenMovementsUnder(instruction),
  };
  const reading = readPoolSwap(view, instruction, accounts);
  if (reading.status !== 'event') return resultOf(reading);
  return events(settleSwap(reading.event, event, form, gainsOf(view, accounts)));
}

/** Accounts of a swap; the pool's own base vault is the first of the two vaults. */
export type PoolAccounts = Omit<SwapAccounts, 'venue' | 'isBaseFirst'> & {
  readonly movements: readonly TokenMovement[];
};

/**
 * Reads the amounts exchanged by the vaults. `poolQuoteDelta` still includes the fees that the pool
 * keeps.
 */
export function readPoolSwap(
  view: TransactionView,
  instruction: Instruction,
  accounts: PoolAccounts,
): ReturnType<typeof readSwap> {
  const [base, quote] = accounts.vaults;
  const isBaseFirst = isOwnBase(view, base, quote);
  return readSwap(view, instruction, { ...accounts, venue: 'pump_amm', isBaseFirst });
}

/** Net amounts sent to the pool's two vaults, as its own base and quote. */
export interface VaultGains {
  readonly isOwnBase: boolean;
  readonly base: bigint;
  readonly quote: bigint;
}

/** Includes transfer fees, since the program's event reports the amounts sent, not received. */
export function gainsOf(view: TransactionView, { vaults, movements }: PoolAccounts): VaultGains {
  const [base, quote] = vaults;
  return {
    isOwnBase: isOwnBase(view, base, quote),
    base: sentTo(movements, base),
    quote: sentTo(movements, quote),
  };
}

/**
 * Completes a swap from its event: the fees, of which those kept in the quote vault are not part of
 * the trade, and the reserves that the pool prices with. The swap is quarantined when the event
 * contradicts the transfers, or when fees are kept and no event reports them.
 */
export function settleSwap(
  swap: Swap,
  event: PumpAmmTradeEvent | null,
  form: FeeForm,
  gains: VaultGains,
): Swap {
  if (event === null) {
    return form === 'paid'
      ? swap
      : quarantined(swap, 'no event reports which part of the vault change is fees');
  }
  const { isOwnBase } = gains;
  const kept = keptOf(event);
  const feeQuoteRaw = isOwnBase ? asRawAmount(event.grossQuote - event.netQuote) : null;
  const contradiction = contradictionOf(event, kept, gains);
  if (contradiction !== null) return quarantined({ ...swap, feeQuoteRaw }, contradiction);
  const traded = kept === 0n ? swap : withoutKeptFees(swap, kept, isOwnBase);
  const virtualAfter = event.virtualQuoteBefore - kept;
  const isVaultPriced = event.virtualQuoteBefore === 0n && virtualAfter === 0n;
  const reserves = isVaultPriced
    ? swap.reserves
    : virtualReserves(swap.reserves, virtualAfter, isOwnBase);
  const settled: Swap = { ...traded, feeQuoteRaw, reserves };
  return isPricedByNothing(settled) ? quarantined(settled, NOTHING_TO_PRICE_WITH) : settled;
}

/** Adds the signed virtual reserves of a pool's own quote to its holdings. */
export function virtualReserves(
  reserves: Reserves | null,
  virtualQuote: bigint,
  isOwnBase: boolean,
): Reserves | null {
  if (reserves === null) return null;
  const { base, quote } = reserves;
  return {
    base,
    quote,
    virtualBase: asRawAmount(isOwnBase ? base : base + virtualQuote),
    virtualQuote: asRawAmount(isOwnBase ? quote + virtualQuote : quote),
  };
}

/**
 * True when effective reserves before or after a swap are not positive, which no pool can price
 * with.
 */
export function isPricedByNothing({ reserves, poolBaseDelta, poolQuoteDelta }: Swap): boolean {
  if (reserves === null || reserves.virtualBase === null || reserves.virtualQuote === null) {
    return false;
  }
  const { virtualBase, virtualQuote } = reserves;
  return (
    virtualBase <= 0n ||
    virtualQuote <= 0n ||
    virtualBase - poolBaseDelta <= 0n ||
    virtualQuote - poolQuoteDelta <= 0n
  );
}

export const NOTHING_TO_PRICE_WITH = 'effective reserves are not positive';

/** An earlier contradiction found in the balances remains the reason. */
export function quarantined(swap: Swap, reason: string): Swap {
  return { ...swap, quarantine: swap.quarantine ?? reason };
}

/** Protocol and creator fee stay in the quote vault; the buy-back fee is paid during the trade. */
function keptOf({ areFeesKept, protocolFee, buybackFee, creatorFee }: PumpAmmTradeEvent): bigint {
  return areFeesKept ? protocolFee - buybackFee + creatorFee : 0n;
}

/**
 * Whether the vaults moved by the amounts of the event. The liquidity providers' fee is liquidity:
 * a buy adds it to the amount of the constant product, a sell leaves it in the vault.
 */
function contradictionOf(event: PumpAmmTradeEvent, kept: bigint, gains: VaultGains): string | null {
  const { isBuy, baseAmount, netQuote, grossQuote, lpFee } = event;
  if (kept < 0n) return 'the event reports a buy-back fee greater than the fees it is part of';
  if (gains.base !== (isBuy ? -baseAmount : baseAmount)) {
    return 'the event reports another base amount than was transferred';
  }
  const traded = isBuy ? netQuote + lpFee : lpFee - grossQuote;
  if (isBuy ? traded <= 0n : traded >= 0n) return 'the event reports a trade for nothing';
  if (gains.quote !== traded + kept) {
    return 'neither trade nor fees explain the change of the quote vault';
  }
  const fees = lpFee + event.protocolFee + event.creatorFee;
  if (event.areFeesKept && grossQuote - netQuote !== fees) {
    return 'the fees of the event are not what its amounts differ by';
  }
  return null;
}

function withoutKeptFees(swap: Swap, kept: bigint, isOwnBase: boolean): Swap {
  const { poolBaseDelta, poolQuoteDelta } = swap;
  const none = asRawAmount(0n);
  const fees = asRawAmount(kept);
  return isOwnBase
    ? {
        ...swap,
        poolQuoteDelta: asRawAmount(poolQuoteDelta - kept),
        keptFees: { base: none, quote: fees },
      }
    : {
        ...swap,
        poolBaseDelta: asRawAmount(poolBaseDelta - kept),
        keptFees: { base: fees, quote: none },
      };
}

function sentTo(movements: readonly TokenMovement[], account: number): bigint {
  let gain = 0n;
  for (const { kind, source, destination, amount } of movements) {
    if (kind === 'close' || kind === 'sync') continue;
    if (destination === account) gain += amount;
    if (source === account) gain -= amount;
  }
  return gain;
}
