import type { Finding, FraudType } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Clusters } from '../links/clusters.ts';

/** One threshold or weight of a detector, and the reason for its value. */
export interface CardEntry {
  readonly value: number | readonly [from: number, to: number];
  /** One sentence. */
  readonly reason: string;
}

/** The documentation of a detector. A test of the registry rejects cards with empty fields. */
export interface DetectorCard {
  /** The pattern, in one or two sentences. */
  readonly pattern: string;
  /** Innocent behaviour that looks similar, each with what excludes it. */
  readonly lookAlikes: readonly string[];
  /** Gates, ramps and weights, by name. */
  readonly thresholds: Readonly<Record<string, CardEntry>>;
}

/** Data of one case that detectors share, computed once. */
export interface CaseReading {
  readonly mintCase: MintCase;
  /** Clusters from all link families except those named in `without`. */
  readonly clusters: (without?: readonly string[]) => Clusters;
}

/**
 * Detects one pattern. Pure: the same case gives the same findings, independent of the order of
 * unordered data.
 */
export interface Detector {
  readonly fraudType: FraudType;
  /** 1 to 10, as the specification gives it. */
  readonly severity: number;
  readonly card: DetectorCard;
  /** All findings, strongest first; none unless every gate is passed. */
  readonly inspect: (reading: CaseReading) => readonly Finding[];
}
