import type { Slot } from './units.ts';

/**
 * How the state of a replica compares with those of others that applied the same steps under the same
 * rules.
 * - `alone`: no other has voted on a slot that this one voted on.
 * - `agreed`: all that voted on the newest compared slot have this state, or a majority has.
 * - `differing`: others have another state, and there is no majority.
 * - `minority`: a majority of at least three has another state. It lasts until a restart.
 */
export type AgreementState = 'alone' | 'agreed' | 'differing' | 'minority';

/** Another replica, by its last vote that could be compared. */
export interface ComparedReplica {
  readonly name: string;
  readonly slot: Slot;
  readonly isEqual: boolean;
}

export interface ReplicaAgreement {
  readonly name: string;
  readonly state: AgreementState;
  /** The newest slot that another replica voted on too; null before the first. */
  readonly slot: Slot | null;
  /** By name. */
  readonly others: readonly ComparedReplica[];
  /** Replicas that apply the steps under other rules, such as another version, and are not compared. */
  readonly otherRules: readonly string[];
}
