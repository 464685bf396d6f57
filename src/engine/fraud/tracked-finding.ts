import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import { contentHash } from '../../lib/content-hash.ts';
import type { Mutable } from '../../lib/mutable.ts';
import { uuidV5 } from '../../lib/uuid.ts';
import {
  type Codec,
  type Described,
  type Json,
  list,
  plain,
  record,
  text,
  textFormat,
} from '../../model/codec.ts';
import type {
  Classification,
  ClassificationState,
  Evidence,
  Finding,
  FraudType,
} from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { address } from '../../model/value-codecs.ts';

/** UUID namespace of all finding ids. */
const ID_NAMESPACE = 'a4c3f0de-6a83-5e0b-9b53-1d6f4f7a52c1';

const ROLES: Codec<ReadonlyMap<Address, string>> = {
  encode: (roles, strings) =>
    [...roles].map(([wallet, role]) => [address.encode(wallet, strings), strings.indexOf(role)]),
  decode: (json, strings) =>
    new Map(
      (json as readonly (readonly [Json, number])[]).map(([wallet, role]) => [
        address.decode(wallet, strings),
        strings[role] as string,
      ]),
    ),
};

const TRACKED = record({
  /** Its row in the book (finding-book.ts). */
  row: plain<number>(),
  id: text,
  mint: address,
  fraudType: plain<FraudType>(),
  decimals: plain<number>(),
  createdMs: plain<number>(),
  /** Earliest start of the pattern in any version. */
  startSlot: plain<Slot>(),
  /** Of the version last published. */
  clusterRoot: address,
  state: plain<ClassificationState>(),
  detectionSlot: plain<Slot | null>(),
  /** Of the version last published. */
  publishedSlot: plain<Slot>(),
  publishedMs: plain<number>(),
  calibrationVersion: plain<number>(),
  /** As last published, in JSON with bigints; parsed only when the finding lapses. */
  finding: text,
  /** Roles by address. */
  roles: ROLES,
  /** Content hashes of evidence items, each with the time it was first found. */
  collected: list(plain<readonly [content: string, timeMs: number]>()),
});

/** A finding as last published, with the data that identifies it when it is found again. */
export interface TrackedFinding extends Mutable<Described<typeof TRACKED>> {}

export const TRACKED_FINDING = textFormat('finding 1', TRACKED as Codec<TrackedFinding>);

/** Time of the findings, decimals of the mint's amounts and version of the calibration. */
export interface FoundAt {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly decimals: number;
  readonly calibrationVersion: number;
}

/** Creates a tracked finding without a row that is not yet published, with its permanent id. */
export function newTracked(finding: Finding, at: FoundAt): TrackedFinding {
  const { mint, fraudType, clusterRoot, patternStartSlot } = finding;
  const name = `${mint} ${fraudType} ${clusterRoot} ${patternStartSlot}`;
  return {
    row: 0,
    id: uuidV5(ID_NAMESPACE, name),
    mint,
    fraudType,
    decimals: at.decimals,
    createdMs: at.timeMs,
    startSlot: patternStartSlot,
    clusterRoot,
    state: 'candidate',
    detectionSlot: null,
    publishedSlot: at.slot,
    publishedMs: at.timeMs,
    calibrationVersion: at.calibrationVersion,
    finding: '',
    roles: new Map(),
    collected: [],
  };
}

/** The published record of a finding; by default of the version last published. */
export function toClassification(
  tracked: TrackedFinding,
  finding = parseBigintJson(tracked.finding) as Finding,
): Classification {
  return {
    id: tracked.id,
    finding,
    decimals: tracked.decimals,
    state: tracked.state,
    detectionSlot: tracked.detectionSlot,
    slot: tracked.publishedSlot,
    updatedMs: tracked.publishedMs,
    createdMs: tracked.createdMs,
    collectedMs: tracked.collected.map(([, timeMs]) => timeMs),
    calibrationVersion: tracked.calibrationVersion,
  };
}

/** Hash of the content of an evidence item without its weight: 16 hexadecimal digits. */
export function contentOf({ type, payload }: Evidence): string {
  return contentHash([toBigintJson([type, payload])]).slice(0, CONTENT_DIGITS);
}

const CONTENT_DIGITS = 16;
