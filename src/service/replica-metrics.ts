import type { MetricFamilies } from '../api/http/metrics.ts';
import type { OffchainSharing } from '../model/offchain-stream.ts';
import { AGREEMENT_STATES, type ReplicaAgreement } from '../model/replica-agreement.ts';

/** What is measured of a replica among several machines. */
export interface MeasuredReplica {
  readonly status: ReplicaAgreement;
  /** Time spent on digests, and their number, since the start. */
  readonly cost: { readonly seconds: number; readonly digests: number };
  /** How often the state was computed again because most others had another one, since the start. */
  readonly rebuilds: number;
  /** Whether it delivers the webhooks that others have copies of. */
  readonly isDelivering: boolean;
  /** How far the tables that all replicas have are. */
  readonly control: { readonly status: MeasuredControl };
  /** How off-chain data is shared; null while it is not gathered. */
  offchain(): MeasuredOffchain | null;
}

/** Sequences of the log of their changes, and counts since the start. */
export interface MeasuredControl {
  readonly receivedSeq: number;
  readonly appliedSeq: number;
  readonly written: number;
  readonly refused: number;
}

/** How a replica shares off-chain data, and messages since the start by what became of them. */
export interface MeasuredOffchain {
  readonly status: OffchainSharing;
  readonly messages: Readonly<Record<'appended' | 'refused' | 'fenced' | 'unusable', number>>;
}

/** Exposes how a replica stands among others; no samples for a single process. */
export function exposeReplica(metrics: MetricFamilies, replica: MeasuredReplica | null): void {
  const single = (value: (replica: MeasuredReplica) => number) => () =>
    replica === null ? [] : [[{}, value(replica)] as const];
  metrics.exposeGauge({
    name: 'replica_agreement',
    help: '1 for how the state compares with those of other replicas, 0 for the others.',
    labelNames: ['state'],
    read: () =>
      replica === null
        ? []
        : AGREEMENT_STATES.map((state) => [{ state }, replica.status.state === state ? 1 : 0]),
  });
  metrics.exposeGauge({
    name: 'replica_compared_slot',
    help: 'Newest slot after which the state was compared with that of another replica.',
    read: single(({ status }) => status.slot ?? 0),
  });
  metrics.exposeGauge({
    name: 'replica_agreed_slot',
    help: 'Last slot after which most replicas had the state of this one; 0 before the first.',
    read: single(({ status }) => status.agreedSlot ?? 0),
  });
  metrics.exposeGauge({
    name: 'replica_contradicted_slot',
    help: 'Slot after which most replicas had another state, until they agree later; 0 while none.',
    read: single(({ status }) => status.contradictedSlot ?? 0),
  });
  metrics.exposeCounter({
    name: 'replica_rebuilds_total',
    help: 'States computed again because most replicas had another one.',
    read: single(({ rebuilds }) => rebuilds),
  });
  metrics.exposeGauge({
    name: 'replica_others',
    help: 'Other replicas, by the result of the last comparison.',
    labelNames: ['result'],
    read: () => (replica === null ? [] : countsOf(replica.status)),
  });
  metrics.exposeCounter({
    name: 'replica_digests_total',
    help: 'Digests of the state computed to be compared.',
    read: single(({ cost }) => cost.digests),
  });
  metrics.exposeCounter({
    name: 'replica_digest_seconds_total',
    help: 'Time spent on digests of the state to be compared.',
    read: single(({ cost }) => cost.seconds),
  });
  metrics.exposeGauge({
    name: 'replica_delivers_webhooks',
    help: '1 while this replica delivers webhooks, 0 while another one may.',
    read: single(({ isDelivering }) => (isDelivering ? 1 : 0)),
  });
  exposeControl(metrics, replica);
  exposeOffchain(metrics, () => replica?.offchain() ?? null);
}

/** Exposes how far a replica is in the changes of the tables that all replicas have. */
function exposeControl(metrics: MetricFamilies, replica: MeasuredReplica | null): void {
  const single = (name: keyof MeasuredControl) => () =>
    replica === null ? [] : [[{}, replica.control.status[name]] as const];
  metrics.exposeGauge({
    name: 'control_received_seq',
    help: 'Last change of keys, triggers, webhooks, reviews and rules that was read; keys of it count.',
    read: single('receivedSeq'),
  });
  metrics.exposeGauge({
    name: 'control_applied_seq',
    help: 'Last change of keys, triggers, webhooks, reviews and rules that counts as a whole.',
    read: single('appliedSeq'),
  });
  metrics.exposeCounter({
    name: 'control_writes_total',
    help: 'Changes of keys, triggers, webhooks, reviews and rules that this replica published.',
    read: single('written'),
  });
  metrics.exposeCounter({
    name: 'control_refused_attempts_total',
    help: 'Attempts to publish a change that were repeated because another replica was faster.',
    read: single('refused'),
  });
}

/** Exposes how far a replica is in the off-chain data that all replicas have. */
function exposeOffchain(metrics: MetricFamilies, read: () => MeasuredOffchain | null): void {
  const gauge = (name: string, help: string, value: (status: OffchainSharing) => number) =>
    metrics.exposeGauge({
      name,
      help,
      read: () => {
        const offchain = read();
        return offchain === null ? [] : [[{}, value(offchain.status)]];
      },
    });
  gauge(
    'offchain_stream_gathering',
    '1 while this replica gathers off-chain facts for all, 0 while another one may.',
    ({ isGathering }) => (isGathering ? 1 : 0),
  );
  gauge(
    'offchain_stream_received_seq',
    'Last message of the stream of off-chain data that was read.',
    ({ receivedSeq }) => receivedSeq,
  );
  gauge(
    'offchain_stream_stored_seq',
    'Last message of the stream of off-chain data of which everything is stored.',
    ({ storedSeq }) => storedSeq,
  );
  metrics.exposeGauge({
    name: 'offchain_stream_epoch',
    help: 'Claim of the replica that gathers, as far as this one has heard: higher for each tenure.',
    labelNames: ['gatherer'],
    read: () => {
      const { gatherer = null, epoch = null } = read()?.status ?? {};
      return gatherer === null || epoch === null ? [] : [[{ gatherer }, epoch]];
    },
  });
  metrics.exposeGauge({
    name: 'offchain_stream_messages_behind',
    help: 'Messages of the stream of off-chain data that are not stored here yet; none while the servers do not say where it ends.',
    read: () => {
      const { messagesBehind = null } = read()?.status ?? {};
      return messagesBehind === null ? [] : [[{}, messagesBehind]];
    },
  });
  gauge(
    'offchain_stream_stopped',
    '1 if this replica stores no off-chain data any more, for the reason in its log.',
    ({ stopped }) => (stopped === null ? 0 : 1),
  );
  metrics.exposeCounter({
    name: 'offchain_stream_messages_total',
    help: 'Transactions of off-chain data that this replica appended, or that were refused to it, and messages that it passed over.',
    labelNames: ['result'],
    read: () =>
      Object.entries(read()?.messages ?? {}).map(([result, count]) => [{ result }, count] as const),
  });
}

function countsOf({ others, otherRules }: ReplicaAgreement) {
  const equal = others.filter(({ isEqual }) => isEqual).length;
  return [
    [{ result: 'equal' }, equal],
    [{ result: 'different' }, others.length - equal],
    [{ result: 'other_rules' }, otherRules.length],
  ] as const;
}
