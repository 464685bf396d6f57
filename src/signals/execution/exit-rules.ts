import type { ExitRule } from '../../model/signal.ts';

const MINUTE_MS = 60_000;

/** When a position is closed, depending on the price after entry (METHODS §6.3). */
export interface ExitTerms {
  /** Maximum holding time. */
  readonly holdMs: number;
  /** Fractions of the entry price; infinite for none. */
  readonly takeProfit: number;
  readonly stopLoss: number;
  /** Fraction of the highest price since entry. */
  readonly trailing: number;
}

const NEVER = Number.POSITIVE_INFINITY;

function holdFor(minutes: number): ExitTerms {
  return { holdMs: minutes * MINUTE_MS, takeProfit: NEVER, stopLoss: NEVER, trailing: NEVER };
}

export const EXIT_TERMS: Readonly<Record<ExitRule, ExitTerms>> = {
  hold_5m: holdFor(5),
  hold_1h: holdFor(60),
  hold_24h: holdFor(24 * 60),
  take_profit_or_stop: { ...holdFor(60), takeProfit: 0.5, stopLoss: 0.25 },
  trailing_stop: { ...holdFor(4 * 60), trailing: 0.3 },
};

/** Whether a price triggers an exit before the holding time ends. */
export function isTriggered(
  { takeProfit, stopLoss, trailing }: ExitTerms,
  price: number,
  { entryPrice, peakPrice }: { readonly entryPrice: number; readonly peakPrice: number },
): boolean {
  return (
    price >= entryPrice * (1 + takeProfit) ||
    price <= entryPrice * (1 - stopLoss) ||
    price <= peakPrice * (1 - trailing)
  );
}
