/** Options of `start` that are no settings. */
export interface StartOptions {
  readonly replay?: readonly string[];
  readonly simulate?: boolean;
  readonly seed: string;
}
