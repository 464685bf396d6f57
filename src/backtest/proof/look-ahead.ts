import type { BacktestHit, LookAheadFault, LookAheadReport } from '../../model/backtest.ts';
import type { RecordedHit } from '../recording/judge-tape.ts';
import { type TestedValues, textOf } from '../recording/tested-rule.ts';

/** Faults that a report names. */
export const FAULTS_MAX = 1_000;

/** Compares all hits with what the log gives when it ends with their minutes; null without hits. */
export function lookAheadReport(hits: readonly RecordedHit[]): LookAheadReport | null {
  if (hits.length === 0) return null;
  const faults = hits.flatMap(({ hit, values, cutValues }) =>
    lookAheadFaults(hit, values, cutValues),
  );
  return { checked: hits.length, faults: faults.slice(0, FAULTS_MAX) };
}

/**
 * Compares the values of a hit with those that the log gives when it ends with the hit's minute.
 * Returns each feature whose value differs: it depends on what came later.
 */
export function lookAheadFaults(
  hit: BacktestHit,
  recorded: TestedValues,
  cut: TestedValues | null,
): readonly LookAheadFault[] {
  return Object.keys(recorded).flatMap((feature) => {
    const [before, after] = [textOf(recorded[feature]), textOf(cut?.[feature])];
    return before === after ? [] : [{ feature, hit, recorded: before, cut: after }];
  });
}
