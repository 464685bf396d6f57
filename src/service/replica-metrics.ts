import type { MetricFamilies } from '../api/http/metrics.ts';
import type { Lease } from '../cluster/lease.ts';
import type { AgreementState } from '../model/replica-agreement.ts';
import type { ReplicaVotes } from './replica-votes.ts';

const STATES: readonly AgreementState[] = ['alone', 'agreed', 'differing', 'minority'];

/** Exposes how the state compares with those of other replicas, and what that costs. */
export function exposeVotes(metrics: MetricFamilies, votes: () => ReplicaVotes): void {
  metrics.exposeGauge({
    name: 'replica_agreement',
    help: '1 for how the state compares with those of other replicas, 0 for the others.',
    labelNames: ['state'],
    read: () => STATES.map((state) => [{ state }, votes().status.state === state ? 1 : 0]),
  });
  metrics.exposeGauge({
    name: 'replica_compared_slot',
    help: 'Newest slot after which the state was compared with that of another replica.',
    read: () => [[{}, votes().status.slot ?? 0]],
  });
  metrics.exposeGauge({
    name: 'replica_others',
    help: 'Other replicas, by the result of the last comparison.',
    labelNames: ['result'],
    read: () => {
      const { others, otherRules } = votes().status;
      const equal = others.filter(({ isEqual }) => isEqual).length;
      return [
        [{ result: 'equal' }, equal],
        [{ result: 'different' }, others.length - equal],
        [{ result: 'other_rules' }, otherRules.length],
      ];
    },
  });
  metrics.exposeCounter({
    name: 'replica_digests_total',
    help: 'Digests of the state computed to be compared.',
    read: () => [[{}, votes().cost.digests]],
  });
  metrics.exposeCounter({
    name: 'replica_digest_seconds_total',
    help: 'Time spent on them.',
    read: () => [[{}, votes().cost.seconds]],
  });
}

/** Exposes whether this replica delivers the webhooks that others have copies of. */
export function exposeLease(metrics: MetricFamilies, lease: () => Lease | null): void {
  metrics.exposeGauge({
    name: 'replica_delivers_webhooks',
    help: '1 while this replica delivers webhooks, 0 while another one may.',
    read: () => [[{}, lease()?.isHeld === true ? 1 : 0]],
  });
}
