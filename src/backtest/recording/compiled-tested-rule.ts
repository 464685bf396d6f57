import type { Address } from '../../model/units.ts';
import type { CompiledRule } from '../../rules/compile-rule.ts';
import { givenFeatures } from '../../rules/features/read-features.ts';
import { FEATURES } from '../../rules/features/registry.ts';
import { advanceSequence, type SequenceState } from '../../rules/sequence.ts';
import type { RuleJudge, TestedFeature, TestedRule } from './tested-rule.ts';

/** All features that rules can name at the end of a minute. Numbers that are not finite are unknown. */
export const TAPE_FEATURES: readonly TestedFeature[] = FEATURES.pool_minute.map(
  ({ name, read }) => ({
    name,
    read: (reading) => {
      const value = read(reading);
      return typeof value === 'number' && !Number.isFinite(value) ? null : value;
    },
  }),
);

/** A compiled rule of the scope `pool_minute`, judged as the fold judges it. */
export function testedRule(rule: CompiledRule): TestedRule {
  const features = rule.features.flatMap((index) => FEATURES.pool_minute[index]?.name ?? []);
  return { id: rule.id, features, coolDownMs: rule.coolDownMs, begin: () => judgeOf(rule) };
}

function judgeOf(rule: CompiledRule): RuleJudge {
  const states = new Map<Address, SequenceState>();
  return (values, pool, minuteMs) => {
    const features = givenFeatures('pool_minute', values);
    const { passed, state } = advanceSequence(rule, states.get(pool) ?? null, features, minuteMs);
    if (state === null) states.delete(pool);
    else states.set(pool, state);
    return passed;
  };
}
