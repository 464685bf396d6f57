import { describe, expect, test } from 'vitest';
import { type SignalQuality, signalQuality } from './signal-quality.ts';
import { signalReport } from './signal-report.ts';

function qualityOf(seeds: number): SignalQuality {
  const plans = Array.from({ length: seeds }, (_, at) => ({
    plan: { preset: 'waves', seed: `training-${at + 1}`, days: 6 } as const,
    transactions: 1,
  }));
  return { ...signalQuality([]), runs: plans };
}

describe('the report of signals', () => {
  test('says that fewer than ten seeds are no evaluation', () => {
    expect(signalReport(qualityOf(9), null)).toContain('Fewer than 10 seeds');
    expect(signalReport(qualityOf(10), null)).not.toContain('Fewer than 10 seeds');
  });

  test('counts signals of the published parameters over all days', () => {
    const published = [{ model: 'organic_momentum', count: 3 }] as const;
    const quality = { ...qualityOf(1), published };
    expect(signalReport(quality, null)).toContain('test periods alone: `organic_momentum` 3.');
  });

  test('names the models that never fired', () => {
    expect(signalReport(qualityOf(1), null)).toMatch(
      /Never fired in the test periods: .*`smart_money_bounce`/,
    );
  });
});
