import type { Slot } from './units.ts';

/**
 * How the state of a replica compares with those of others that applied the same steps under the same
 * rules.
 * - `alone`: no other has voted on a slot that this one voted on.
 * - `agreed`: all that voted on the newest compared slot have this state, or a majority has.
 * - `differing`: others have another state, and there is no majority.
 * - `rebuilding`: a majority of at least three had another state. The replica computes its own again,
 *   and answers nothing until it agrees with the majority on a later slot.
 * - `minority`: as `rebuilding`, but the state is not computed again. It lasts until a restart.
 */
export const AGREEMENT_STATES = ['alone', 'agreed', 'differing', 'rebuilding', 'minority'] as const;
export type AgreementState = (typeof AGREEMENT_STATES)[number];

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
  /** The last slot after which a majority had this state; null before the first. Survives restarts. */
  readonly agreedSlot: Slot | null;
  /** The slot after which a majority had another state, until this one agrees later; null: none. */
  readonly contradictedSlot: Slot | null;
  /** How often the state was computed again because of the others, within the last day of slots. */
  readonly rebuilds: number;
  /** By name. */
  readonly others: readonly ComparedReplica[];
  /** Replicas that apply the steps under other rules, such as another version, and are not compared. */
  readonly otherRules: readonly string[];
}
