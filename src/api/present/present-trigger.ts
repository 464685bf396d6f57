import type { PoolFigures } from '../../model/pool-figures.ts';
import type { Firing, Retraction, Trigger, TriggerEvent } from '../../model/trigger.ts';
import {
  formatInstant,
  formatMaybeInstant,
  formatSol,
  formatTokens,
  formatUsd,
} from './format-wire.ts';

/** A trigger as returned to its account. */
export function presentTrigger(trigger: Trigger, status: 'active' | 'removed' = 'active') {
  return {
    trigger_id: trigger.triggerId,
    pair_address: trigger.pool,
    conditions: [...trigger.conditions],
    status,
    created_at: formatInstant(trigger.createdAtMs),
    updated_at: formatInstant(trigger.updatedAtMs),
  };
}

/** The pool of a firing, nine keys in the order of CONTRACT §3. */
export function presentFiredPool(figures: PoolFigures) {
  return {
    pair_address: figures.pool,
    token_address: figures.tokenMint,
    sol_amount: formatSol(figures.solLamports),
    token_amount: formatTokens(figures.tokenRaw, figures.tokenDecimals),
    number_of_buys: figures.buyCount,
    number_of_sells: figures.sellCount,
    buy_volume_usd: formatUsd(figures.buyVolumeUsd),
    sell_volume_usd: formatUsd(figures.sellVolumeUsd),
    total_volume_usd: formatUsd(figures.totalVolumeUsd),
  };
}

/** A trigger event, as sent on streams and listed in firings. */
export function presentTriggerEvent(event: TriggerEvent) {
  return event.kind === 'fired' ? presentFiring(event.firing) : presentRetraction(event.retraction);
}

function presentFiring(firing: Firing) {
  return {
    type: 'trigger_fired' as const,
    trigger_id: firing.triggerId,
    fired_at: formatInstant(firing.firedAtMs),
    pool: presentFiredPool(firing.figures),
    slot: firing.slot,
    retracted_at: formatMaybeInstant(firing.retractedAtMs),
    seq: firing.number,
  };
}

function presentRetraction(retraction: Retraction) {
  return {
    type: 'trigger_retracted' as const,
    trigger_id: retraction.triggerId,
    fired_seq: retraction.firedNumber,
    slot: retraction.slot,
    retracted_at: formatInstant(retraction.retractedAtMs),
    seq: retraction.number,
  };
}
