import { UsageError } from '../../model/errors.ts';
import type { StateDigest } from '../../model/state-digest.ts';
import { printable } from '../printable.ts';
import {
  type ComparedState,
  compareDigests,
  type DigestComparison,
  type SlotComparison,
} from './compare-digests.ts';
import type { ServiceDigests } from './service-digests.ts';

/** Slots that a sentence names; services list up to 192. */
const LISTED_MAX = 8;

/** The JSON output. */
export interface DigestOutput {
  readonly slot: number;
  /** Null where it is not known. */
  readonly blockhash: string | null;
  readonly digest: string;
  /** Null where a service gives none for the slot. */
  readonly parts: StateDigest['parts'] | null;
  /** Slots that --at-slot can name, newest first. */
  readonly slots: readonly number[];
  /** Null without a service to compare with. */
  readonly compared: ComparedOutput | null;
}

/** A comparison at all slots in common. */
interface ComparedOutput {
  /** The newest of them. */
  readonly slot: number;
  /** Whether the digests of all of them are equal. */
  readonly is_same: boolean;
  /** At `slot`. */
  readonly service_digest: string;
  readonly differing_parts: readonly string[] | null;
  readonly slots_compared: number;
  readonly oldest_slot: number;
  readonly newest_same_slot: number | null;
  /** The earliest slot whose digests differ. */
  readonly first_different: {
    readonly slot: number;
    readonly digest: string;
    readonly service_digest: string;
    /** Null where the parts of one are not known. */
    readonly differing_parts: readonly string[] | null;
  } | null;
}

/** The states of a folder or a service, newest first. */
export interface OwnStates {
  /** In sentences. */
  readonly name: string;
  readonly states: readonly (ComparedState & { readonly blockhash: string | null })[];
}

/** A service to compare with. */
export interface OtherService {
  readonly name: string;
  readonly digests: ServiceDigests;
}

/** The states of a service. Those of earlier slots have no parts. */
export function statesOf({ state, digests }: ServiceDigests): OwnStates['states'] {
  return [...digests]
    .sort(([one], [other]) => other - one)
    .map(([slot, digest]) => {
      const parts = state?.slot === slot ? state.parts : null;
      return { slot, digest, parts, blockhash: null };
    });
}

/** Throws UsageError if there is no state, or no slot in common. */
export function outputOf(
  own: OwnStates,
  atSlot: number | null,
  other: OtherService | null,
): DigestOutput {
  const { states } = own;
  const slots = states.map(({ slot }) => slot);
  const candidates = atSlot === null ? states : states.filter(({ slot }) => slot === atSlot);
  if (candidates.length === 0 && (atSlot !== null || other === null)) {
    throw noSuchSlot(own.name, atSlot, slots);
  }
  const compared = other === null ? null : compareDigests(candidates, other.digests);
  const shown = candidates.find(({ slot }) => compared === null || slot === compared.newest.slot);
  if (shown === undefined || (other !== null && compared === null)) {
    throw nothingInCommon(own.name, candidates, other);
  }
  const { slot, blockhash, digest, parts } = shown;
  return { slot, blockhash, digest, parts, slots, compared: toWire(compared) };
}

function noSuchSlot(name: string, atSlot: number | null, slots: readonly number[]): UsageError {
  if (atSlot === null) return new UsageError(`${capitalised(name)} has no state yet.`);
  return new UsageError(`There is no digest of slot ${atSlot}: there are ${listed(slots)}.`);
}

function nothingInCommon(
  name: string,
  states: OwnStates['states'],
  other: OtherService | null,
): UsageError {
  const theirs = [...(other?.digests.digests.keys() ?? [])].sort((one, two) => two - one);
  const otherName = other?.name ?? '';
  return new UsageError(
    `${capitalised(name)} and ${otherName} have no slot in common: ${name} has ` +
      `${listed(states.map(({ slot }) => slot))}; ${otherName} has ${listed(theirs)}. ` +
      'Repeat it after the next checkpoint.',
  );
}

function listed(slots: readonly number[]): string {
  if (slots.length === 0) return 'none';
  if (slots.length <= LISTED_MAX) return slots.join(', ');
  return `${slots.slice(0, LISTED_MAX).join(', ')} and ${slots.length - LISTED_MAX} more down to ${slots.at(-1)}`;
}

function capitalised(name: string): string {
  return name.startsWith('the ') ? `T${name.slice(1)}` : name;
}

function toWire(comparison: DigestComparison | null): ComparedOutput | null {
  if (comparison === null) return null;
  const { newest, firstDifferent } = comparison;
  return {
    slot: newest.slot,
    is_same: firstDifferent === null,
    service_digest: newest.service,
    differing_parts: partsOf(newest),
    slots_compared: comparison.slotsCompared,
    oldest_slot: comparison.oldestSlot,
    newest_same_slot: comparison.newestSameSlot,
    first_different:
      firstDifferent === null
        ? null
        : {
            slot: firstDifferent.slot,
            digest: firstDifferent.own,
            service_digest: firstDifferent.service,
            differing_parts: partsOf(firstDifferent),
          },
  };
}

function partsOf({ isSame, differingParts }: SlotComparison): readonly string[] | null {
  return isSame ? [] : differingParts;
}

/** The text output. `otherName`: what was compared with. */
export function linesOf(output: DigestOutput, otherName: string): string[] {
  const { slot, blockhash, digest, parts, compared } = output;
  return [
    `slot       ${slot}`,
    `blockhash  ${printable(blockhash ?? 'unknown')}`,
    `digest     ${printable(digest)}`,
    ...(parts ?? []).map(({ name, sum }) => `part       ${printable(sum)}  ${printable(name)}`),
    ...(compared === null ? [] : comparedLines(compared, otherName)),
  ];
}

function comparedLines(compared: ComparedOutput, otherName: string): string[] {
  const { slot, slots_compared: count, oldest_slot: oldest, first_different: first } = compared;
  const lines = [
    `compared   ${count === 1 ? `slot ${slot}` : `${count} slots, ${oldest} to ${slot}`}`,
    sameLine(compared, otherName),
  ];
  if (first === null) return lines;
  const digest = printable(first.service_digest);
  return [
    ...lines,
    `different  ${otherName} has ${digest} at slot ${first.slot}, the first that differs`,
    ...differingLines(compared, first.slot, first.differing_parts),
  ];
}

function sameLine({ slot, newest_same_slot: same }: ComparedOutput, otherName: string): string {
  if (same === null) return 'same       at no slot';
  return same === slot
    ? `same       ${otherName} has this digest at slot ${slot}`
    : `same       at slot ${same}, the newest that is equal`;
}

/** Services give the parts of their newest slot alone, which may say more than nothing. */
function differingLines(
  { slot, differing_parts: ofNewest }: ComparedOutput,
  firstSlot: number,
  ofFirst: readonly string[] | null,
): string[] {
  if (ofFirst !== null) return ofFirst.map((name) => `differs    ${printable(name)}`);
  const where = slot === firstSlot ? '' : `, at slot ${slot}`;
  return (ofNewest ?? []).map((name) => `differs    ${printable(name)}${where}`);
}
