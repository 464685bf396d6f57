/** Defects of rules: what rules them out, and the tests that they carry. */
import type { Mutant } from '../mutant.ts';

const GATES = ['src/engine/rules/rule-gates.test.ts'];
const EXPECTED = ['src/rules/expected-hits.test.ts'];
const BY_SLOTS = ['src/commands/rules/run-tests-by-slots.test.ts'];
const FILES = ['src/commands/rules/files-commands.test.ts'];
const SERVICE = ['src/commands/rules/service-commands.test.ts'];

export const RULE_TEST_MUTANTS: readonly Mutant[] = [
  {
    name: 'limit-of-a-rule-rules-itself-out',
    file: 'src/engine/rules/rule-gates.ts',
    find: 'if (value > limit || (value === limit && isStrict[middle] === 0)) low = middle + 1;',
    replace: 'if (value > limit) low = middle + 1;',
    tests: GATES,
    harm: 'A rule is silent when a feature is exactly at its limit.',
  },
  {
    name: 'strict-limits-sorted-first',
    file: 'src/engine/rules/rule-gates.ts',
    find: 'one.limit - other.limit || Number(one.isStrict) - Number(other.isStrict)',
    replace: 'one.limit - other.limit || Number(other.isStrict) - Number(one.isStrict)',
    tests: GATES,
    harm: 'A rule is silent because another one has the same limit.',
  },
  {
    name: 'sequences-ruled-out-by-their-first-condition',
    file: 'src/engine/rules/rule-gates.ts',
    find: 'rule.sequence.length > 0 ? [] : rule.when.gates',
    replace: 'rule.when.gates',
    tests: GATES,
    harm: 'Sequences whose steps contradict the first condition never pass.',
  },
  {
    name: 'hits-of-other-tokens-pass',
    file: 'src/rules/expected-hits.ts',
    find: 'return others.length === 0 ? null : `It has hits of other tokens: ${shown(others)}.`;',
    replace: 'return null;',
    tests: EXPECTED,
    harm: 'A rule that hits every token passes its test.',
  },
  {
    name: 'slots-without-a-minute-prove-silence',
    file: 'src/commands/rules/run-tests-by-slots.ts',
    find: "const isJudged = judged > 0 || rule.file.scope !== 'pool_minute';",
    replace: 'const isJudged = judged >= 0;',
    tests: BY_SLOTS,
    harm: 'A test of recorded slots passes though nothing was judged in them.',
  },
  {
    name: 'rule-published-after-the-first-slot',
    file: 'src/commands/rules/run-tests-by-slots.ts',
    find: 'count === 0 ? { ...facts, ruleChanges',
    replace: 'count === 400 ? { ...facts, ruleChanges',
    tests: BY_SLOTS,
    harm: 'Tests miss the hits of the first minutes of a scenario.',
  },
  {
    name: 'two-rules-of-one-name-accepted',
    file: 'src/service/rules/rules-folder.ts',
    find: 'if (other === undefined) return found;',
    replace: 'if (other !== null) return found;',
    tests: FILES,
    harm: 'One of two rules replaces the other when they are published.',
  },
  {
    name: 'failing-tests-published',
    file: 'src/commands/rules/publish.ts',
    find: 'if (failed !== undefined)',
    replace: 'if (failed === null)',
    tests: SERVICE,
    harm: 'Rules are published whose own tests fail.',
  },
];
