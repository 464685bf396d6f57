import { isOldNats, SAFE_NATS_VERSION } from '../../cluster/nats-connection.ts';
import type { Config } from '../../config/config-settings.ts';
import { type Finding, fail, ok, type Verdict, warn } from './finding.ts';
import type { NatsFacts, NatsStreamFacts } from './nats-facts.ts';

/** Steps of a full block have less than 1 MB compressed; a lost step stops everything. */
const PAYLOAD_BYTES_MIN = 4 * 2 ** 20;
const COPIES_MIN = 3;
const AGE_MS_MIN = 24 * 60 * 60_000;
const SYNC =
  'What a server acknowledges must be on its disk: set `sync_interval: always` in the `jetstream` block of each server, which cannot be read from outside.';

type Asked = Pick<Config, 'natsOldServers' | 'natsStream'>;

/** Judges the NATS servers of several machines. */
export function judgeNats(facts: NatsFacts, config: Asked): readonly Finding[] {
  return verdictsOf(facts, config).map((verdict) => ({ ...verdict, subject: 'NATS' }));
}

function verdictsOf(facts: NatsFacts, config: Asked): readonly Verdict[] {
  if (facts.kind === 'unreachable') {
    const advice = 'Check addresses and credentials, and that this machine may reach them.';
    return [fail('reachable', facts.reason, advice)];
  }
  const { version, isClustered, maxPayloadBytes, stream, control, offchain, streamFault } = facts;
  const shared = [versionOf(version, config), payloadOf(maxPayloadBytes)];
  if (streamFault !== null) {
    return [
      ...shared,
      fail('stream', streamFault, 'Check that JetStream is on and has a majority.'),
    ];
  }
  if (stream === null) {
    return [
      ...shared,
      ok('stream', `there is no stream ${config.natsStream} yet; the first process creates it`),
    ];
  }
  const steps = [copiesOf(stream, isClustered), ...durabilityOf(stream)];
  return [...shared, ...steps, controlOf(control, stream), offchainOf(offchain, stream)];
}

/** Nothing else has these changes for a replica that joins. */
function controlOf(control: NatsStreamFacts | null, { replicas }: NatsStreamFacts): Verdict {
  if (control === null) {
    return ok('control', 'there are no shared keys, triggers, webhooks, reviews and rules yet');
  }
  const message = `changes of keys, triggers, webhooks, reviews and rules have ${control.current} of ${control.replicas} copies`;
  if (!control.isOnDisk || control.maxAgeMs !== 0) {
    const advice = 'Keep them on disk and without an age: `nats stream edit --max-age 0`.';
    return fail('control', `${message}, and are not kept`, advice);
  }
  if (control.replicas < replicas) {
    const advice =
      'Give their stream as many copies as the steps: `nats stream edit --replicas 3`.';
    return fail('control', message, advice);
  }
  if (control.current < control.replicas) {
    return warn('control', message, 'Look at the servers that lag or are down.');
  }
  return ok('control', message);
}

/** Replicas have what is in it, so that its loss stops gathering and loses nothing. */
function offchainOf(offchain: NatsStreamFacts | null, { replicas }: NatsStreamFacts): Verdict {
  if (offchain === null) return ok('off-chain', 'replicas share no off-chain data yet');
  const message = `off-chain data has ${offchain.current} of ${offchain.replicas} copies`;
  if (!offchain.isOnDisk || offchain.replicas < replicas) {
    const advice = 'Keep it on disk, with as many copies as the steps: `nats stream edit`.';
    return warn('off-chain', message, advice);
  }
  if (offchain.current < offchain.replicas) {
    return warn('off-chain', message, 'Look at the servers that lag or are down.');
  }
  return ok('off-chain', message);
}

function versionOf(version: string, { natsOldServers }: Asked): Verdict {
  if (!isOldNats(version)) return ok('version', version);
  const message = `${version} may lose streams`;
  const advice = `Update all servers to ${SAFE_NATS_VERSION} or later.`;
  return natsOldServers === 'allow'
    ? warn('version', message, advice)
    : fail('version', message, advice);
}

function payloadOf(bytes: number): Verdict {
  const message = `messages have at most ${bytes} bytes`;
  if (bytes >= PAYLOAD_BYTES_MIN) return ok('max_payload', message);
  return warn(
    'max_payload',
    message,
    'Set `max_payload: 8MB` for slots with unusually many transactions.',
  );
}

function copiesOf({ replicas, current }: NatsStreamFacts, isClustered: boolean): Verdict {
  const message = `${current} of ${replicas} copies are up to date`;
  if (!isClustered) {
    return warn(
      'copies',
      message,
      'A single server is a single point of failure: run three, and a stream with --nats-replicas 3.',
    );
  }
  if (replicas < COPIES_MIN) {
    return fail(
      'copies',
      message,
      'Give the stream three copies: `nats stream edit --replicas 3`.',
    );
  }
  if (current < replicas)
    return warn('copies', message, 'Look at the servers that lag or are down.');
  return ok('copies', message);
}

function durabilityOf({ isOnDisk, maxAgeMs }: NatsStreamFacts): readonly Verdict[] {
  const storage = isOnDisk
    ? warn('storage', 'on disk', SYNC)
    : fail('storage', 'in memory', 'Create the stream again, with file storage.');
  const isLong = maxAgeMs === 0 || maxAgeMs >= AGE_MS_MIN;
  const age = `messages are kept for ${maxAgeMs === 0 ? 'ever' : `${Math.round(maxAgeMs / 3_600_000)} h`}`;
  const advice =
    'A replica that is down for longer must be restored from a backup of another: `nats stream edit --max-age 7d`.';
  return [storage, isLong ? ok('retention', age) : warn('retention', age, advice)];
}
