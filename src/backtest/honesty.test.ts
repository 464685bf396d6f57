import { describe, expect, test } from 'vitest';
import { ruleOf, syntheticTape, tapeOptions } from '../../tests/support/synthetic-tape.ts';
import { HashDraws } from '../lib/hash-draws.ts';
import type { DelayedExecution } from '../model/backtest.ts';
import { judgeTape } from './recording/judge-tape.ts';
import type { MinuteTape } from './recording/minute-tape.ts';
import type { TestedRule } from './recording/tested-rule.ts';
import { reportOf } from './report-of.ts';
import { tradeHit } from './worth/traded-hits.ts';
import {
  executionOfTrades,
  JUDGED_DELAY,
  JUDGED_RULE,
  JUDGED_TICKET,
} from './worth/worth-of-hits.ts';

const DAYS = 28;
const plan = (seed: string, omenShare = 0) => ({
  ...{ seed, omenShare, days: DAYS, tokens: 12, everyMinutes: 20 },
});
const SEEDS = Array.from({ length: 10 }, (_, at) => `honest ${at}`);
const RULES_PER_SEED = 5;

/** A rule that knows nothing: one minute of fifty, by hash. */
const randomRule = (salt: string) =>
  ruleOf(
    'random',
    [],
    (_, pool, minuteMs) => new HashDraws(`${salt} ${pool} ${minuteMs}`).unit() < 0.02,
  );

function judgedOf(tape: MinuteTape, rule: TestedRule, tries = 1): DelayedExecution {
  const options = tapeOptions(DAYS);
  const { hits, controls } = judgeTape(tape, [rule], options);
  const trade = (hit: Parameters<typeof tradeHit>[0]) => tradeHit(hit, JUDGED_DELAY, options);
  const found = executionOfTrades((hits[0] ?? []).map(trade), controls.map(trade), tries).find(
    ({ rule: exit, ticketUsd }) => exit === JUDGED_RULE && ticketUsd === JUDGED_TICKET,
  );
  if (found === undefined) throw new Error('the judged exit is missing');
  return found;
}

describe('a backtest is honest', () => {
  test('random rules show no lift: intervals contain zero as often as they say, on ten seeds', () => {
    const found = SEEDS.flatMap((seed) => {
      const tape = syntheticTape(plan(seed));
      return Array.from({ length: RULES_PER_SEED }, (_, at) =>
        judgedOf(tape, randomRule(`${seed} ${at}`)),
      );
    });
    const intervals = found.flatMap(({ lift }) => (lift?.interval ? [lift.interval] : []));
    expect(intervals).toHaveLength(SEEDS.length * RULES_PER_SEED);
    const misses = intervals.filter(([low, high]) => low > 0 || high < 0).length;
    // Of 50 fair intervals 2.5 miss; more than 8 with a probability of 0.1 %.
    expect(misses).toBeLessThanOrEqual(8);
  });

  test('an edge that was planted is found, also after a hundred tries', () => {
    const tape = syntheticTape(plan('edge', 0.02));
    const rule = ruleOf('omen', ['omen.seen'], (values) => values['omen.seen'] === true);
    const found = judgedOf(tape, rule, 100);
    expect(found.count).toBeGreaterThan(20);
    // The price doubles, so the exit at +50 % is reached by nearly all that did not fail.
    expect(found.meanE9).toBeGreaterThan(20_000_000_000n);
    expect(found.chargedInterval?.[0]).toBeGreaterThan(0);
    // A rule of the same market without the omen has no such lift.
    const blind = judgedOf(tape, randomRule('blind'), 100);
    expect(blind.chargedInterval?.[0]).toBeLessThan(0);
  });

  test('says nothing of fewer than twenty hits', () => {
    const tape = syntheticTape(plan('few', 0.02));
    let seen = 0;
    const rule = ruleOf('few', [], (values) => values['omen.seen'] === true && seen++ < 19);
    const { hits, controls } = judgeTape(tape, [rule], tapeOptions(DAYS));
    expect(hits[0]).toHaveLength(19);
    const judged = { hits, controls, minutes: 0 };
    const report = reportOf({
      ...{ rules: [rule.id], options: tapeOptions(DAYS), tape, judged, tries: 1 },
      lookAhead: null,
    });
    for (const { execution } of report.delays) {
      for (const { lift, chargedInterval } of execution) {
        expect(lift?.interval ?? null).toBeNull();
        expect(chargedInterval).toBeNull();
      }
    }
    expect(report.tries.deflatedSharpe).toBeNull();
  });
});

describe('the report', () => {
  const tape = syntheticTape(plan('report', 0.02));
  const rule = ruleOf('omen', ['omen.seen'], (values) => values['omen.seen'] === true);
  const options = tapeOptions(DAYS, { failedShare: 0.25 });
  const reportAt = (tries: number) =>
    reportOf({
      ...{ rules: [rule.id], options, tape, judged: judgeTape(tape, [rule], options), tries },
      lookAhead: null,
    });
  const report = reportAt(1);

  test('leaves out no hit: each is valued, failed, open or without a price', () => {
    expect(report.hits).toBeGreaterThan(100);
    for (const { failed, open, unpriced, execution } of report.delays) {
      const held = execution.find(({ rule: exit }) => exit === 'hold_24h');
      // Failed entries are valued too, at what they cost.
      expect(report.hits).toBe((held?.count ?? 0) + open + unpriced);
      expect(failed / report.hits).toBeGreaterThan(0.15);
      expect(failed / report.hits).toBeLessThan(0.35);
    }
  });

  test('is the same in every run', () => {
    expect(reportAt(1)).toEqual(report);
  });

  test('charges for tries: wider intervals, smaller deflated ratio', () => {
    const charged = reportAt(50);
    const widthOf = (found: typeof report) => {
      const [low, high] = found.delays[2]?.execution[0]?.chargedInterval ?? [0, 0];
      return high - low;
    };
    // Bonferroni's critical value for 50 comparisons at 5 % is 3.2905.
    expect(widthOf(charged) / widthOf(report)).toBeCloseTo(3.2905 / 1.96, 3);
  });

  test('charges a rule that knows nothing more with each try', () => {
    const judged = judgeTape(tape, [randomRule('charged')], options);
    const ratioOf = (tries: number) =>
      reportOf({ rules: ['random@1+0'], options, tape, judged, tries, lookAhead: null }).tries
        .deflatedSharpe ?? Number.NaN;
    const ratios = [1, 10, 100].map(ratioOf);
    expect(ratios[1]).toBeLessThan(ratios[0] ?? 0);
    expect(ratios[2]).toBeLessThan(ratios[1] ?? 0);
    // Luck alone passes for skill in one of twenty cases at most.
    expect(ratios[2]).toBeLessThan(0.95);
  });

  test('has a capacity below which the mean return is above zero', () => {
    const capacity = report.delays[2]?.capacityUsd[JUDGED_RULE] ?? 0;
    // A purchase of a tenth of the pool moves its price by a fifth.
    expect(capacity).toBeGreaterThan(1_000);
    expect(capacity).toBeLessThan(400_000);
  });
});
