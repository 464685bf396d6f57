import type { Finding, FraudType } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Clusters } from '../links/clusters.ts';

/** One threshold or weight of a detector, and why it is what it is. */
export interface CardEntry {
  readonly value: number | readonly [from: number, to: number];
  /** A sentence. */
  readonly reason: string;
}

/** What a detector says of itself. The registry refuses a card with anything empty. */
export interface DetectorCard {
  /** What somebody does, in a sentence or two. */
  readonly pattern: string;
  /** What looks the same and is innocent, each with what keeps it out. */
  readonly lookAlikes: readonly string[];
  /** By name: gates, ramps and weights. */
  readonly thresholds: Readonly<Record<string, CardEntry>>;
}

/** What detectors share of one case, computed once. */
export interface CaseReading {
  readonly mintCase: MintCase;
  /** Connected wallets by all links that this detector may use; `without` names families to leave out. */
  readonly clusters: (without?: readonly string[]) => Clusters;
}

/**
 * Looks for one pattern. Pure: the same case gives the same findings, whatever the order of what has
 * no order.
 */
export interface Detector {
  readonly fraudType: FraudType;
  /** 1 to 10, as the specification gives it. */
  readonly severity: number;
  readonly card: DetectorCard;
  /** Every occurrence, strongest first; none where a gate is shut. */
  readonly inspect: (reading: CaseReading) => readonly Finding[];
}
