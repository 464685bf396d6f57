import type { StatePart } from '../../model/state-digest.ts';
import type { ServiceDigests } from './service-digests.ts';

/** The digest of a state after a slot. */
export interface ComparedState {
  readonly slot: number;
  readonly digest: string;
  /** Null where they are not known. */
  readonly parts: readonly StatePart[] | null;
}

/** Result of comparing states with those of a running service, at every slot that both know. */
export interface DigestComparison {
  /** At least 1. */
  readonly slotsCompared: number;
  readonly oldestSlot: number;
  readonly newest: SlotComparison;
  /** The newest slot with equal digests; null if there is none. */
  readonly newestSameSlot: number | null;
  /** The earliest slot with different digests; null if there is none. */
  readonly firstDifferent: SlotComparison | null;
}

/** The two digests of one slot. */
export interface SlotComparison {
  readonly slot: number;
  readonly isSame: boolean;
  readonly own: string;
  readonly service: string;
  /** Names of the parts that differ; null where the parts of one are not known. */
  readonly differingParts: readonly string[] | null;
}

/** Compares at every slot that both know; null if there is none. */
export function compareDigests(
  states: readonly ComparedState[],
  service: ServiceDigests,
): DigestComparison | null {
  const compared = states
    .toSorted((one, other) => one.slot - other.slot)
    .map((state) => compareAt(state, service))
    .filter((comparison) => comparison !== null);
  const [oldest] = compared;
  const newest = compared.at(-1);
  if (oldest === undefined || newest === undefined) return null;
  return {
    slotsCompared: compared.length,
    oldestSlot: oldest.slot,
    newest,
    newestSameSlot: compared.findLast(({ isSame }) => isSame)?.slot ?? null,
    firstDifferent: compared.find(({ isSame }) => !isSame) ?? null,
  };
}

function compareAt(
  { slot, digest, parts }: ComparedState,
  { state, digests }: ServiceDigests,
): SlotComparison | null {
  const service = digests.get(slot);
  if (service === undefined) return null;
  const areKnown = parts !== null && state?.slot === slot;
  const differingParts = areKnown ? differing(parts, state.parts) : null;
  return { slot, isSame: digest === service, own: digest, service, differingParts };
}

function differing(parts: readonly StatePart[], others: readonly StatePart[]): readonly string[] {
  const sums = new Map(parts.map(({ name, sum }) => [name, sum]));
  const otherSums = new Map(others.map(({ name, sum }) => [name, sum]));
  const names = new Set([...sums.keys(), ...otherSums.keys()]);
  return [...names].filter((name) => sums.get(name) !== otherSums.get(name));
}
