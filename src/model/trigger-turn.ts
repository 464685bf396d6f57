/** A trigger turned true with a slot, or was not any more. */
export interface TriggerTurn {
  readonly key: number;
  /** -1 before any slot. */
  readonly slot: number;
  readonly isTrue: boolean;
}

/** What a trigger turned last, as far as that is kept. */
export type KnownTruth = Omit<TriggerTurn, 'key'>;
