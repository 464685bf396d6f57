/** One setting: what it is for, what it is without being told, how it is read. */
export interface Setting<Value> {
  readonly description: string;
  /** What stands for the value in help texts. */
  readonly placeholder: string;
  readonly fallback: Value;
  readonly isSecret?: boolean;
  /** Not taken from the command line. */
  readonly hasNoFlag?: boolean;
  /** A variable of the environment that other tools read for the same; ours wins over it. */
  readonly commonVariable?: string;
  /** The value, or a sentence fragment saying what it must be. */
  readonly parse: (text: string) => { readonly value: Value } | string;
}
