import { resultOf, type TradeRound } from '../readings/trade-rounds.ts';
import type { Gates } from '../scoring/scoring-card.ts';

/** Thresholds of results by round (METHODS §13.3). */
export const ROUND_GATES = {
  gainMin: {
    value: 0.001,
    reason: 'A gain of less than a thousandth of the volume pays for no transaction.',
  },
  makerRoundsMin: {
    value: 5,
    reason: 'Of fewer rounds most are won by chance in a rising market.',
  },
  makerWinsMin: {
    value: 0.8,
    reason: 'A market maker wins in eight of ten rounds; who pays for volume hardly in any.',
  },
} as const satisfies Gates;

/** Part of the rounds that were won, 0 to 1; null without rounds. */
export function winShare(rounds: readonly TradeRound[]): number | null {
  if (rounds.length === 0) return null;
  const wins = rounds.filter((round) => resultOf(round) > ROUND_GATES.gainMin.value).length;
  return wins / rounds.length;
}

/** Whether rounds were won as often as a market maker wins them. */
export function isMakerByRounds(rounds: readonly TradeRound[]): boolean {
  if (rounds.length < ROUND_GATES.makerRoundsMin.value) return false;
  return (winShare(rounds) ?? 0) >= ROUND_GATES.makerWinsMin.value;
}

/**
 * Part of the rounds that cost about their fees: they lost at most `lossMax` of their volume and
 * won nothing. 0 to 1; null without rounds.
 */
export function costShare(rounds: readonly TradeRound[], lossMax: number): number | null {
  if (rounds.length === 0) return null;
  const paidFor = rounds.filter((round) => {
    const result = resultOf(round);
    return result >= -lossMax && result <= ROUND_GATES.gainMin.value;
  });
  return paidFor.length / rounds.length;
}
