import type { CompiledRule } from '../../rules/compile-rule.ts';

/** A rule with its number, which is reused after its withdrawal. */
export interface ActiveRule {
  readonly number: number;
  readonly author: string;
  readonly rule: CompiledRule;
}
