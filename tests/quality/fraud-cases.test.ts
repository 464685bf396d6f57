import { describe, expect, test } from 'vitest';
import { CASES } from '../../simulator/scenarios/cases/registry.ts';
import { runCaseAttack, runCaseLookAlike } from '../support/scenario-stage.ts';
import { casePlansOf, caseRows } from './fraud-cases.ts';
import { judgeRun } from './fraud-run.ts';

describe.each(Object.keys(CASES))('the case %s', (name) => {
  test.each(['easy', 'medium', 'hard'] as const)('labels its crew when it is %s', (difficulty) => {
    const { attack, isOver } = runCaseAttack(name, difficulty, 'case');
    expect(isOver).toBe(true);
    expect(attack?.type).toBe(CASES[name]?.type);
    const bundlers = [...(attack?.roles.values() ?? [])].filter((role) => role === 'bundler');
    expect(bundlers.length).toBeGreaterThan(2);
  });

  test('has a look-alike of several wallets beside it', () => {
    const { attack, benign, isOver } = runCaseLookAlike(name, 'case');
    expect([attack, isOver, benign?.family]).toEqual([null, true, CASES[name]?.family]);
    expect(benign?.wallets.size).toBeGreaterThan(5);
  });
});

test('cases are reported one by one, each beside its look-alike', () => {
  const plans = casePlansOf('training', 1).filter(({ scenario }) => scenario === 'one-use-chains');
  const rows = caseRows(plans.map(judgeRun));
  expect(rows.map(({ scenario, difficulty, runs }) => [scenario, difficulty, runs])).toEqual(
    ['easy', 'medium', 'hard'].map((difficulty) => ['one-use-chains', difficulty, 1]),
  );
});
