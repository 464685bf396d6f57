/** A change of the source that takes one rule out, to measure what the rule adds. */
export interface Ablation {
  /** Unique, in words with hyphens. */
  readonly name: string;
  /** What is taken out, as a phrase. */
  readonly without: string;
  /**
   * What is played to measure it, by the names of docs/quality/fraud.md: the attacks that the rule is
   * for, and the innocent people who look like them.
   */
  readonly scenarios: readonly string[];
  readonly edits: readonly Edit[];
}

export interface Edit {
  /** From the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}
