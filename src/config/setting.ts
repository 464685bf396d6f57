/** One setting: purpose, default and parser. */
export interface Setting<Value> {
  readonly description: string;
  /** Placeholder of the value in help texts. */
  readonly placeholder: string;
  readonly fallback: Value;
  readonly isSecret?: boolean;
  /** Cannot be set on the command line. */
  readonly hasNoFlag?: boolean;
  /** An environment variable that other tools use for the same purpose; ours takes precedence. */
  readonly commonVariable?: string;
  /** The value, or a sentence fragment saying what it must be. */
  readonly parse: (text: string) => { readonly value: Value } | string;
}
