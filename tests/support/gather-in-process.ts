/**
 * A replica that gathers and stores, in a process of its own. Arguments: NATS address, data folder,
 * name, port of the web. Prints a line of JSON about each change of what it knows.
 */
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { Lease } from '../../src/cluster/lease.ts';
import { connectToNats } from '../../src/cluster/nats-connection.ts';
import { NatsLeases } from '../../src/cluster/nats-leases.ts';
import { monotonicClock } from '../../src/lib/clock.ts';
import { address } from './build-transaction.ts';
import { SharingReplica } from './sharing-replica.ts';
import { tokenAt } from './test-gathering.ts';

const [, , server = '', dataDir = '', name = '', port = '', count = ''] = process.argv;
const { signal } = new AbortController();
const access = { user: null, password: null, token: null, isEncrypted: false };
const connection = await connectToNats({ ...access, addresses: [server] }, name, { signal });
const settings = { name: 'test-offchain', replicas: 1, maxAgeMs: 0 };
const log = await JetStreamStepLog.open(connection, settings, signal);
const lease = new Lease({
  store: await NatsLeases.open(connection, 'test', 1),
  key: 'gathering',
  clock: monotonicClock,
});
const tokens = Array.from({ length: Number(count) }, (_, at) =>
  tokenAt(address(`token ${at}`), `http://127.0.0.1:${port}/${at}.json`),
);
const replica = new SharingReplica({
  ...{ dataDir, name, log, tokens, lease: () => lease, ports: [Number(port)] },
});
void lease.run(signal);
let known = '';
setInterval(() => {
  const { stopped, lost, offchain } = replica;
  const line = JSON.stringify({ ...offchain.status, ...offchain.messages, stopped, lost });
  if (line !== known) process.stdout.write(`${line}\n`);
  known = line;
}, 50);
