import type { OffchainSharing } from '../../model/offchain-stream.ts';
import {
  AGREEMENT_STATES,
  type AgreementState,
  type ComparedReplica,
  type ReplicaAgreement,
} from '../../model/replica-agreement.ts';
import type { Coverage } from '../chain-status.ts';
import { flag, integer, list, nullable, text, word } from './wire-kinds.ts';
import { wireRecord } from './wire-record.ts';

const Compared = wireRecord<ComparedReplica>()({
  name: [text, 'name'],
  slot: [integer, 'slot', 'The newest slot after which it was compared.'],
  is_equal: [flag, 'isEqual'],
});

const Agreement = wireRecord<ReplicaAgreement>()({
  name: [text, 'name', 'Name of this replica.'],
  state: [
    word<AgreementState>(AGREEMENT_STATES),
    'state',
    'alone: not compared yet; differing: others have another state and there is no majority; ' +
      'rebuilding: most others had another state, this replica computes its own again and answers ' +
      'nothing else until they agree on a later slot; minority: the same, but it is not computed ' +
      'again.',
  ],
  slot: [nullable(integer), 'slot', 'The newest compared slot.'],
  agreed_slot: [
    nullable(integer),
    'agreedSlot',
    'The last slot after which most replicas had the state of this one, also before a restart.',
  ],
  contradicted_slot: [
    nullable(integer),
    'contradictedSlot',
    'The slot after which most replicas had another state, until they agree on a later one.',
  ],
  rebuilds: [
    integer,
    'rebuilds',
    'How often the state was computed again because most others had another one, within the last ' +
      'day of slots.',
  ],
  others: [list(Compared), 'others', 'By name.'],
  other_rules: [
    list(text),
    'otherRules',
    'Replicas of another version or with other settings, which are not compared.',
  ],
});

const Gathering = wireRecord<OffchainSharing>()({
  gatherer: [
    nullable(text),
    'gatherer',
    'Name of the replica that gathers, as far as this one has heard; null before the first.',
  ],
  epoch: [
    nullable(integer),
    'epoch',
    'Rises whenever a replica begins to gather: its number in the stream of off-chain data.',
  ],
  is_gathering: [flag, 'isGathering', 'Whether it is this replica, which may lose it any moment.'],
  stored_seq: [
    integer,
    'storedSeq',
    'Messages of the stream up to this one are stored here: equal numbers, equal off-chain data.',
  ],
  messages_behind: [
    nullable(integer),
    'messagesBehind',
    'Messages of the stream that are not stored here yet; null while NATS does not say.',
  ],
  stopped: [
    nullable(text),
    'stopped',
    'Why this replica stores no more of them, in a sentence; null while it does.',
  ],
});

/** Fields of coverage about the other replicas of several machines. */
export const REPLICA_COVERAGE = wireRecord<Coverage>()({
  replicas: [
    nullable(Agreement),
    'agreement',
    'How the state compares with those of other replicas of the same log; null for a single ' +
      'process.',
  ],
  gathering: [
    nullable(Gathering),
    'gathering',
    'Which replica gathers off-chain data for all, and how far this one has stored it; null for ' +
      'a single process, and for a replica without off-chain data.',
  ],
}).fields;

export const REPLICA_EXAMPLE = {
  replicas: {
    name: 'fold-0',
    state: 'agreed',
    slot: 326_027_727,
    agreed_slot: 326_027_727,
    contradicted_slot: null,
    rebuilds: 0,
    others: [{ name: 'fold-1', slot: 326_027_727, is_equal: true }],
    other_rules: [],
  },
  gathering: {
    gatherer: 'fold-1',
    epoch: 1_204,
    is_gathering: false,
    stored_seq: 9_310,
    messages_behind: 0,
    stopped: null,
  },
} as const;
