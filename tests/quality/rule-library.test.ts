import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testCommand } from '../../src/commands/rules/test.ts';
import type { DelayedExecution } from '../../src/model/backtest.ts';
import { printCommand } from '../support/printed-command.ts';
import { HELD_BACK_SEEDS, LIBRARY_FOLDER, libraryRules, runLibrary } from './rule-library.ts';
import { ruleLibraryPage, verdictOf } from './rule-library-report.ts';

const rules = libraryRules();

describe('the library of rules', () => {
  test('has ten rules of three kinds, each with tests by features and by three scenarios', () => {
    expect(rules).toHaveLength(10);
    expect(new Set(rules.map(({ file }) => file.kind))).toEqual(
      new Set(['alert', 'label', 'signal']),
    );
    for (const { file } of rules) {
      const { tests = [], look_alikes: lookAlikes } = file;
      const byScenario = tests.filter(({ scenario }) => scenario !== undefined);
      expect([file.name, byScenario.length >= 3]).toEqual([file.name, true]);
      expect(tests.length - byScenario.length).toBeGreaterThanOrEqual(3);
      expect(lookAlikes.length).toBeGreaterThan(0);
    }
  });

  test('does what its tests say, on features and in the fold of scenarios', async () => {
    const { stdout, exitCode } = await printCommand(testCommand(), LIBRARY_FOLDER);
    expect(stdout.split('\n').filter((line) => line.startsWith('FAILED'))).toEqual([]);
    expect(stdout.split('\n').length).toBeGreaterThan(60);
    expect(exitCode).toBe(0);
  });
});

describe('its worth', () => {
  const run = runLibrary(rules, ['a short one'], 0.25);

  test('is measured on the hits that the fold gave: for signals they are the same', () => {
    for (const { rule, foldHits, report } of run.rules) {
      // A signal of the fold needs the vetoes that a backtest needs; others have more hits.
      if (rule.file.kind === 'signal') expect(report.hits).toBe(foldHits);
      else expect(report.hits).toBeLessThanOrEqual(foldHits);
      expect(report.tries.count).toBe(rules.length);
    }
    const signals = run.rules.filter(({ rule }) => rule.file.kind === 'signal');
    expect(signals.reduce((sum, { foldHits }) => sum + foldHits, 0)).toBeGreaterThan(0);
  });

  test('is called too few to say after six hours, never ahead', () => {
    const page = ruleLibraryPage(run);
    expect(page).not.toContain('| ahead of random minutes |');
    for (const { execution } of run.rules) expect(execution.chargedInterval).toBeNull();
  });

  test('is described by the words of the committed report', () => {
    const page = readFileSync('docs/quality/rule-library.md', 'utf8');
    const wordsOf = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.length > 60 && !/^(\||\d+ of)/.test(line))
        .map((line) => line.replaceAll(/\d[\d.,]*/g, '#'));
    expect(wordsOf(page)).toEqual(wordsOf(ruleLibraryPage(run)));
    for (const { file } of rules) {
      expect(page).toContain(`[${file.name}](../rules/library/${file.name}.yaml)`);
    }
    for (const seed of HELD_BACK_SEEDS) expect(page).toContain(`\`${seed}\``);
  });

  test.each<[number, readonly [number, number] | null, string]>([
    [0, null, 'none'],
    [19, null, 'too few to say'],
    [30, [0.1, 5], 'ahead of random minutes'],
    [30, [-5, -0.1], 'behind random minutes'],
    [30, [-1, 5], 'no difference shown'],
  ])('of %d hits with the interval %j is: %s', (hits, chargedInterval, verdict) => {
    expect(verdictOf(hits, { chargedInterval } as DelayedExecution)).toBe(verdict);
  });
});
