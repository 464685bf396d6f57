import type { Swap } from '../../model/swap.ts';
import type { RawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed, resultOf } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { type BoostBurnEvent, readBoostBurnEvent, readInitBoostEvent } from './pump-amm-events.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';
import {
  gainsOf,
  isPricedByNothing,
  NOTHING_TO_PRICE_WITH,
  type PoolAccounts,
  quarantined,
  readPoolSwap,
  type VaultGains,
  virtualReserves,
} from './pump-amm-swap.ts';

/**
 * Part of a new pool's quote is moved to its boost vault and still priced with, as virtual
 * reserves.
 */
export function decodeInitBoost({
  at,
  instruction,
  view,
}: ProgramCall<'pool' | 'pool_quote_token_account'>): DecodeResult {
  const vault = at.pool_quote_token_account;
  const mint = view.tokenAccount(vault)?.mint ?? null;
  const poolDelta = deltaOf(view.tokenMovementsUnder(instruction), vault);
  const { InitBoostEvent } = pumpAmmLayout.events;
  const data = view.selfEventOf(instruction, InitBoostEvent.discriminator);
  const event = data === null ? null : readInitBoostEvent(data);
  if (data !== null && event === null) return malformed('boost event ends inside its fields');
  if (event !== null && event.virtualQuote !== -poolDelta) {
    return malformed('boost event contradicts its transfers');
  }
  if (poolDelta > 0n) return malformed('a boost that fills the vault');
  if (poolDelta === 0n) return IGNORED;
  if (mint === null) return malformed('a vault without a known mint or decimals');
  return events({
    kind: 'poolBoost',
    outerIx: instruction.outerIx,
    innerIx: instruction.innerIx,
    venue: 'pump_amm',
    pool: view.transaction.keys.at(at.pool),
    mint,
    poolDelta: poolDelta as RawAmount,
  });
}

/**
 * The protocol buys from the pool with the contents of its boost vault and burns the tokens
 * directly from the pool's own vault: a swap without a trader and without fees. The accompanying
 * BuyEvent repeats the same trade.
 */
export function decodeBoostBurn({
  at,
  instruction,
  view,
}: ProgramCall<keyof typeof pumpAmmLayout.instructions.boost_buy_and_burn.accounts>): DecodeResult {
  const { BoostBuyAndBurnEvent } = pumpAmmLayout.events;
  const data = view.selfEventOf(instruction, BoostBuyAndBurnEvent.discriminator);
  const event = data === null ? null : readBoostBurnEvent(data);
  if (data !== null && event === null) return malformed('boost event ends inside its fields');
  const accounts: PoolAccounts = {
    pool: at.pool,
    vaults: [at.pool_base_token_account, at.pool_quote_token_account],
    user: at.boost_vault_authority,
    userAccounts: [at.boost_vault, at.boost_vault],
    movements: view.tokenMovementsUnder(instruction),
  };
  const reading = readPoolSwap(view, instruction, accounts);
  if (reading.status !== 'event') return resultOf(reading);
  const swap: Swap = {
    ...reading.event,
    trader: null,
    traderBaseDelta: 0n as RawAmount,
    traderQuoteDelta: null,
    feeQuoteRaw: 0n as RawAmount,
  };
  return events(settleBoostBurn(swap, event, gainsOf(view, accounts)));
}

/** Without the event the virtual reserves, and therefore the reserves, are unknown. */
function settleBoostBurn(swap: Swap, event: BoostBurnEvent | null, gains: VaultGains): Swap {
  if (event === null) return { ...swap, reserves: null };
  if (gains.base !== -event.baseAmountBurned || gains.quote !== event.quoteAmountUsed) {
    return quarantined(swap, 'the event reports other amounts than were transferred and burned');
  }
  const reserves = virtualReserves(swap.reserves, event.virtualQuote, gains.isOwnBase);
  const settled: Swap = { ...swap, reserves };
  return isPricedByNothing(settled) ? quarantined(settled, NOTHING_TO_PRICE_WITH) : settled;
}
