import { UsageError } from '../../model/errors.ts';

interface Named {
  readonly name: string;
}

/** Throws UsageError for a rule of the operator with the name of a detector: hits have one name. */
export function assertOtherNames(rules: readonly Named[], detectors: readonly Named[]): void {
  const names = new Set(detectors.map(({ name }) => name));
  const same = rules.find(({ name }) => names.has(name));
  if (same === undefined) return;
  throw new UsageError(
    `The folder of rules has a rule named ${same.name}, as an installed detector is: rename the rule.`,
  );
}
