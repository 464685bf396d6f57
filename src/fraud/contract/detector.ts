import type { Judgement } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Clusters } from '../links/clusters.ts';

/**
 * The contract of detectors, built in or installed. Its version is raised when a figure of a reading
 * or a field of a judgement changes its meaning; fields may be added without it.
 */
export const CONTRACT_VERSION = 1;

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
export interface Detector<Name extends string = string> {
  readonly contractVersion: typeof CONTRACT_VERSION;
  /** Of a built-in detector the type of fraud, of a module the name of its package. */
  readonly name: Name;
  /** A whole number from 1 on, raised with each change of what is judged. */
  readonly version: number;
  /** 1 to 10; of a built-in detector, as the specification gives it. */
  readonly severity: number;
  readonly card: DetectorCard;
  /** All groups of wallets in which the pattern is found, strongest first; none unless every gate is passed. */
  readonly inspect: (reading: CaseReading) => readonly Judgement[];
}
