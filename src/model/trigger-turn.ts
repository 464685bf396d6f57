/** A trigger's conditions became true with a slot, or stopped being true. */
export interface TriggerTurn {
  readonly key: number;
  /** -1 before any slot. */
  readonly slot: number;
  readonly isTrue: boolean;
}

/** The last recorded turn of a trigger, if any. */
export type KnownTruth = Omit<TriggerTurn, 'key'>;
