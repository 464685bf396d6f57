import type { StateDigest } from '../../model/state-digest.ts';
import type { ServiceDigests } from './service-digests.ts';

/** Result of comparing a stored state with a running service at one slot. */
export interface DigestComparison {
  readonly slot: number;
  readonly isSame: boolean;
  readonly stored: string;
  readonly service: string;
  /** Names of the parts that differ; null where the service gives none for that slot. */
  readonly differingParts: readonly string[] | null;
}

/** Compares at the newest slot that both know; null if there is none. */
export function compareDigests(
  stored: readonly StateDigest[],
  service: ServiceDigests,
): DigestComparison | null {
  for (const state of stored.toSorted((one, other) => other.slot - one.slot)) {
    const other = service.digests.get(state.slot);
    if (other === undefined) continue;
    const { slot, digest } = state;
    const isSame = other === digest;
    const differingParts = service.state?.slot === slot ? differing(state, service.state) : null;
    return { slot, isSame, stored: digest, service: other, differingParts };
  }
  return null;
}

function differing(
  { parts }: StateDigest,
  other: NonNullable<ServiceDigests['state']>,
): readonly string[] {
  const own = new Map(parts.map(({ name, sum }) => [name, sum]));
  const others = new Map(other.parts.map(({ name, sum }) => [name, sum]));
  const names = new Set([...own.keys(), ...others.keys()]);
  return [...names].filter((name) => own.get(name) !== others.get(name));
}
