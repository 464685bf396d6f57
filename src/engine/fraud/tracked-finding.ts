import { parseBigintJson, toBigintJson } from '../../lib/bigint-json.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { uuidV5 } from '../../lib/uuid.ts';
import type {
  Classification,
  ClassificationState,
  Evidence,
  Finding,
  FraudType,
} from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';

/** UUID namespace of all finding ids. */
const ID_NAMESPACE = 'a4c3f0de-6a83-5e0b-9b53-1d6f4f7a52c1';

/** A finding as last published, with the data that identifies it when it is found again. */
export interface TrackedFinding {
  readonly id: string;
  readonly mint: Address;
  readonly fraudType: FraudType;
  readonly decimals: number;
  readonly createdMs: number;
  /** Earliest start of the pattern in any version. */
  startSlot: Slot;
  /** Of the version last published. */
  clusterRoot: Address;
  state: ClassificationState;
  detectionSlot: Slot | null;
  /** Of the version last published. */
  publishedSlot: Slot;
  publishedMs: number;
  calibrationVersion: number;
  /** Time since which it is too weak; null while it is not. */
  weakSinceMs: number | null;
  /** As last published, in JSON with bigints; parsed only when the finding lapses. */
  finding: string;
  confidence: number;
  /** Roles by address. */
  readonly roles: Map<Address, string>;
  /** Content hashes of evidence items, each with the time it was first found. */
  collected: readonly (readonly [content: string, timeMs: number])[];
}

/** Time of the findings, decimals of the mint's amounts and version of the calibration. */
export interface FoundAt {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly decimals: number;
  readonly calibrationVersion: number;
}

/** Creates a tracked finding that is not yet published, with its permanent id. */
export function newTracked(finding: Finding, at: FoundAt): TrackedFinding {
  const { mint, fraudType, clusterRoot, patternStartSlot } = finding;
  const name = `${mint} ${fraudType} ${clusterRoot} ${patternStartSlot}`;
  return {
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
    weakSinceMs: null,
    finding: '',
    confidence: 0,
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
