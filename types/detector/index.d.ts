/**
 * The contract of detectors of modules, version 1 (docs/installed-detectors.md). Types only: a
 * detector imports nothing when it runs.
 *
 * A test compares these with the types that the service is written with.
 */

import type { Clusters } from './clusters.js';
import type { Judgement } from './judgement.js';
import type { MintCase } from './mint-case.js';

export type * from './clusters.js';
export type * from './judgement.js';
export type * from './mint-case.js';
export type * from './units.js';

/** One threshold or weight of a detector, and the reason for its value. */
export interface CardEntry {
  readonly value: number | readonly [from: number, to: number];
  /** One sentence. */
  readonly reason: string;
}

/** The documentation of a detector. Cards with empty fields are refused. */
export interface DetectorCard {
  /** The pattern, in one or two sentences. */
  readonly pattern: string;
  /** Innocent behaviour that looks similar, each with what excludes it. */
  readonly lookAlikes: readonly string[];
  /** Gates, ramps and weights, by name. */
  readonly thresholds: Readonly<Record<string, CardEntry>>;
}

/** What a detector reads: one case, and the clusters of its wallets. It must not be changed. */
export interface CaseReading {
  readonly mintCase: MintCase;
  /** Clusters from all link families except those named in `without`. */
  readonly clusters: (without?: readonly string[]) => Clusters;
}

/**
 * Detects one pattern. Pure: the same case gives the same judgements, independent of the order of
 * unordered data.
 */
export interface Detector {
  readonly contractVersion: 1;
  /** The name of the package, `mintscope-detector-…`. */
  readonly name: string;
  /** A whole number from 1 on, raised with each change of what is judged. */
  readonly version: number;
  /** 1 to 10. */
  readonly severity: number;
  readonly card: DetectorCard;
  /** All groups of wallets in which the pattern is found, strongest first; at most 100. */
  readonly inspect: (reading: CaseReading) => readonly Judgement[];
}
