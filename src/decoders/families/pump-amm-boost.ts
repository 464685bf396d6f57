import type { Swap } from '../../model/swap.ts';
import { asRawAmount } from '../../model/units.ts';
import { type DecodeResult, events, IGNORED, malformed, resultOf } from '../legs/decoder.ts';
import type { ProgramCall } from '../legs/program-decoder.ts';
import { deltaOf } from '../legs/swap-legs.ts';
import { readSelfEvent } from '../transaction/self-event.ts';
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
  const event = readSelfEvent(view, instruction, pumpAmmLayout.events.InitBoostEvent);
  if (event === 'short') return malformed('boost event ends inside its fields');
  if (event !== null && event.virtual_quote_reserves !== -poolDelta) {
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
    poolDelta: asRawAmount(poolDelta),
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
  const event = readSelfEvent(view, instruction, pumpAmmLayout.events.BoostBuyAndBurnEvent);
  if (event === 'short') return malformed('boost event ends inside its fields');
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
    traderBaseDelta: asRawAmount(0n),
    traderQuoteDelta: null,
    feeQuoteRaw: asRawAmount(0n),
  };
  return events(settleBoostBurn(swap, event, gainsOf(view, accounts)));
}

type BoostBurnEvent = Readonly<
  Record<'base_amount_burned' | 'quote_amount_in_used' | 'virtual_quote_reserves', bigint>
>;

/** Without the event the virtual reserves, and therefore the reserves, are unknown. */
function settleBoostBurn(swap: Swap, event: BoostBurnEvent | null, gains: VaultGains): Swap {
  if (event === null) return { ...swap, reserves: null };
  if (gains.base !== -event.base_amount_burned || gains.quote !== event.quote_amount_in_used) {
    return quarantined(swap, 'the event reports other amounts than were transferred and burned');
  }
  const reserves = virtualReserves(swap.reserves, event.virtual_quote_reserves, gains.isOwnBase);
  const settled: Swap = { ...swap, reserves };
  return isPricedByNothing(settled) ? quarantined(settled, NOTHING_TO_PRICE_WITH) : settled;
}
