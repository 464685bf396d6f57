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

/** What all ids are made under. */
const ID_NAMESPACE = 'a4c3f0de-6a83-5e0b-9b53-1d6f4f7a52c1';

/** A finding as it was last told, and what tells whether another one is the same. */
export interface TrackedFinding {
  readonly id: string;
  readonly mint: Address;
  readonly fraudType: FraudType;
  readonly decimals: number;
  readonly createdMs: number;
  /** Where the pattern began, as early as any version says. */
  startSlot: Slot;
  /** Of the version last told. */
  clusterRoot: Address;
  state: ClassificationState;
  detectionSlot: Slot | null;
  /** Of the version last told. */
  publishedSlot: Slot;
  publishedMs: number;
  calibrationVersion: number;
  /** Since when it is too weak; null while it is not. */
  weakSinceMs: number | null;
  /** As last told, in JSON with bigints: it is read again only when its state changes by time. */
  finding: string;
  confidence: number;
  /** By address, each with its role. */
  readonly roles: Map<Address, string>;
  /** Hashes of what items of evidence say, each with when that was first found. */
  collected: readonly (readonly [content: string, timeMs: number])[];
}

/** When findings were made, in what decimals amounts of the mint are and how it was calibrated. */
export interface FoundAt {
  readonly slot: Slot;
  readonly timeMs: number;
  readonly decimals: number;
  readonly calibrationVersion: number;
}

/** A finding that was not told yet, with its lasting name. */
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

/** What is told of a finding; of one that is not at hand what was told last. */
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

/** Stands for what an item says, whatever it weighs: 16 hexadecimal digits. */
export function contentOf({ type, payload }: Evidence): string {
  return contentHash([toBigintJson([type, payload])]).slice(0, CONTENT_DIGITS);
}

const CONTENT_DIGITS = 16;
