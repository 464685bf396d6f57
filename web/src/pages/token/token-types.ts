import type { BodyOf } from '../../api/client.ts';
import type { Hit } from '../../api/rule-hit.ts';
import type { LiveRows } from '../../state/use-live-rows.ts';

export type TokenBody = BodyOf<'/v1/token/{token_address}'>;
export type ListedToken = BodyOf<'/v1/tokens'>['items'][number];
export type Pool = BodyOf<'/v1/pools'>['items'][number];
export type Trade = BodyOf<'/v1/trades'>['trades'][number];
export type Finding = BodyOf<'/v1/fraud/classifications'>['classifications'][number];
export type FindingDetail = BodyOf<'/v1/fraud/classifications/{id}'>;
export type FindingGraph = BodyOf<'/v1/fraud/classifications/{id}/graph'>;

/** What all parts of the page are about. */
export interface Subject {
  readonly mint: string;
  readonly body: TokenBody;
  /** The token as it is listed; null if it is not, as a mint without a trade. */
  readonly listed: ListedToken | null;
  /** Its pools, the most liquid first. */
  readonly pools: readonly Pool[];
  /** Findings of any status, the most certain first; null before they are read. */
  readonly findings: readonly Finding[] | null;
  /** Where rules of the account and of the operator passed for it. */
  readonly ruleHits: LiveRows<Hit>;
}

/** The pool that gives the token its price; null without one. */
export function primaryPool({ pools, listed }: Pick<Subject, 'pools' | 'listed'>): Pool | null {
  const named = pools.find(({ pair_address }) => pair_address === listed?.pair_address);
  return named ?? pools.find(({ is_primary }) => is_primary) ?? pools[0] ?? null;
}

/** Findings that an analyst has not rejected or put away. */
export function standingFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ status }) => status !== 'false_positive' && status !== 'archived');
}
