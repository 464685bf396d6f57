import type { ComparedReplica, ReplicaAgreement } from '../model/replica-agreement.ts';
import type { Slot } from '../model/units.ts';

/** The state of a replica after a final slot. */
export interface Vote {
  readonly replica: string;
  /** Everything that decides about results in addition to the log, as text. */
  readonly rules: string;
  readonly slot: Slot;
  readonly blockhash: string;
  /** Sequence of the last late step that the state contains. */
  readonly lateSeq: number;
  readonly digest: string;
}

/** Points that are remembered; replicas may be this many slots apart. */
const POINTS_MAX = 512;
const REPLICAS_MAX = 64;
const MAJORITY_OF = 3;

/** How the newest compared state stands, without what is made of it (`AgreementState`). */
type ComparedState = 'alone' | 'agreed' | 'differing' | 'minority';

export interface AgreementStatus
  extends Pick<ReplicaAgreement, 'name' | 'slot' | 'others' | 'otherRules'> {
  readonly state: ComparedState;
  /** The last slot after which a majority had the state of this replica; null before the first. */
  readonly agreedSlot: Slot | null;
}
/** A replica that has not voted for this long is not waited for. */
const RECENT_SLOTS = 64;

/** Compares the votes of replicas. Pure: nothing depends on time. */
export class Agreement {
  private readonly name: string;
  private readonly rules: string;
  /** By point and rules, in order of arrival: the digest of each replica. */
  private readonly points = new Map<string, Map<string, string>>();
  private readonly others = new Map<string, ComparedReplica>();
  private readonly otherRules = new Set<string>();
  private state: ComparedState = 'alone';
  private slot: Slot | null = null;
  private agreedSlot: Slot | null = null;

  constructor(name: string, rules: string) {
    this.name = name;
    this.rules = rules;
  }

  get status(): AgreementStatus {
    const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
      one.name < other.name ? -1 : 1;
    return {
      name: this.name,
      state: this.state,
      slot: this.slot,
      agreedSlot: this.agreedSlot,
      others: [...this.others.values()].sort(byName),
      otherRules: [...this.otherRules].sort(),
    };
  }

  /** Takes a vote of this replica or of another. */
  take(vote: Vote): void {
    if (vote.rules !== this.rules) {
      if (this.otherRules.size < REPLICAS_MAX) this.otherRules.add(vote.replica);
      return;
    }
    this.otherRules.delete(vote.replica);
    const votes = this.votesAt(vote);
    const isKnown = votes.has(vote.replica);
    if (!isKnown && votes.size >= REPLICAS_MAX) return;
    // A replica has one vote on a point: its first.
    if (!isKnown) votes.set(vote.replica, vote.digest);
    this.compare(vote.slot, votes);
  }

  /** The state is another one than those that were voted for: votes of others stay. */
  forgetOwn(): void {
    for (const votes of this.points.values()) votes.delete(this.name);
  }

  /** Begins anew with a state that was computed again: votes of others stay. */
  restart(): void {
    this.forgetOwn();
    this.state = 'alone';
    this.slot = null;
    this.agreedSlot = null;
  }

  private votesAt({ slot, blockhash, lateSeq }: Vote): Map<string, string> {
    const key = `${slot} ${blockhash} ${lateSeq}`;
    const known = this.points.get(key);
    if (known !== undefined) return known;
    const votes = new Map<string, string>();
    this.points.set(key, votes);
    const [oldest] = this.points.keys();
    if (this.points.size > POINTS_MAX && oldest !== undefined) this.points.delete(oldest);
    return votes;
  }

  private compare(slot: Slot, votes: ReadonlyMap<string, string>): void {
    const own = votes.get(this.name);
    if (own === undefined || votes.size < 2) return;
    for (const [name, digest] of votes) {
      const known = this.others.get(name);
      if (name === this.name || slot < (known?.slot ?? 0)) continue;
      this.others.set(name, { name, slot, isEqual: digest === own });
    }
    if (this.state === 'minority') return;
    const digests = [...votes.values()];
    const voters = this.votersAt(slot, votes);
    const isMajority = digests.filter((digest) => digest === own).length * 2 > voters;
    if (isMajority && slot > (this.agreedSlot ?? -1)) this.agreedSlot = slot;
    if (slot < (this.slot ?? 0)) return;
    this.slot = slot;
    this.state = stateOf(own, digests, voters);
  }

  /** Those that voted, and those that did shortly before and may still vote. */
  private votersAt(slot: Slot, votes: ReadonlyMap<string, string>): number {
    const recent = [...this.others.values()].filter(
      (other) => !votes.has(other.name) && other.slot >= slot - RECENT_SLOTS,
    );
    return votes.size + recent.length;
  }
}

function stateOf(own: string, digests: readonly string[], voters: number): ComparedState {
  if (digests.every((digest) => digest === own)) return 'agreed';
  const counts = new Map<string, number>();
  for (const digest of digests) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  const most = [...counts].find(([, count]) => count * 2 > voters)?.[0];
  if (digests.length < MAJORITY_OF || most === undefined) return 'differing';
  return most === own ? 'agreed' : 'minority';
}
