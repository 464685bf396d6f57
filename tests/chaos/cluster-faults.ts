import { DiscardPolicy } from '@nats-io/jetstream';
import type { Random } from '../../simulator/random/random.ts';
import { JetStreamStepLog } from '../../src/cluster/jetstream-step-log.ts';
import { type ClusterProcesses, PATIENCE_MS, STREAM, writerOf } from './cluster-processes.ts';
import { pause } from './storm-service.ts';

/** Slots for which a fold is away, so that the others have gone on for certain. */
const AWAY_SLOTS = 20;
/** Delay of a slow network, in each direction: an answer comes within the time of a request. */
const SLOW_MS = 400;
/** Messages that must follow while the network is slow. */
const SLOW_MESSAGES = 10;
/** Room that a limited stream has left: less than a few blocks need. */
const ROOM_BYTES = 20_000;

/** Harms one part of a cluster, and resolves once all is well, with the milliseconds it paused. */
type ClusterFault = (cluster: ClusterProcesses, random: Random) => Promise<number>;

/** Everything that can happen to processes, their networks and servers, in a repeatable order. */
export const CLUSTER_FAULTS = {
  /** Until the next message is in the stream. */
  async writer(cluster) {
    const name = await cluster.writer();
    const { process, finished } = cluster.ingester(name);
    process.kill('SIGKILL');
    await finished;
    const { seq } = await cluster.lastHead();
    const ms = await cluster.follows(seq);
    await cluster.startIngester(name);
    return ms;
  },

  /** From its start until the fold is at the tip again. */
  async fold(cluster, random) {
    const index = random.below(cluster.folds.length);
    await cluster.fold(index).kill();
    await pause(random.between(0, 2_000));
    const atTip = toTip(cluster);
    await cluster.startFold(index);
    return atTip(index);
  },

  /** A node without a state; from its start until it has answered. */
  async api(cluster, random) {
    const node = random.pick(cluster.apiNodes);
    return node.replace(random.between(0, 2_000));
  },

  /** The server that leads the stream; until the next message. */
  async nats(cluster) {
    const { nats, connection } = cluster;
    const info = await JetStreamStepLog.inspect(connection, STREAM);
    const name = info?.cluster?.leader ?? nats.names[0] ?? '';
    const { seq } = await cluster.lastHead();
    await nats.kill(name);
    if (nats.names.length === 1) nats.restart(name);
    const ms = await cluster.follows(seq);
    if (nats.names.length > 1) nats.restart(name);
    await nats.ready();
    await pause(1_000);
    return ms;
  },

  /** SIGSTOP until another ingester writes, then SIGCONT until the first has noticed. */
  async 'stopped-writer'(cluster) {
    const name = await cluster.writer();
    const { process } = cluster.ingester(name);
    process.kill('SIGSTOP');
    const ms = await untilReplaced(cluster, name);
    process.kill('SIGCONT');
    await untilWaiting(cluster, name);
    return ms;
  },

  /** SIGSTOP while the others go on; from SIGCONT until the fold is at the tip. */
  async 'stopped-fold'(cluster, random) {
    const index = random.below(cluster.folds.length);
    await cluster.fold(index).freeze();
    await untilOthersWentOn(cluster, index);
    const atTip = toTip(cluster);
    cluster.fold(index).thaw();
    return atTip(index);
  },

  /** No connection of the writer to the servers until another writes, then the network is back. */
  async 'cut-writer'(cluster) {
    const name = await cluster.writer();
    cluster.network(name).cut();
    const ms = await untilReplaced(cluster, name);
    cluster.network(name).mend();
    await untilWaiting(cluster, name);
    return ms;
  },

  /** The servers hear the writer, which gets no acknowledgements, until another writes. */
  async 'unheard-writer'(cluster) {
    const name = await cluster.writer();
    cluster.network(name).stall();
    const ms = await untilReplaced(cluster, name);
    cluster.network(name).mend();
    await untilWaiting(cluster, name);
    return ms;
  },

  /** From when the network is back until the fold is at the tip. */
  async 'cut-fold'(cluster, random) {
    const index = random.below(cluster.folds.length);
    const network = cluster.network(`fold-${index}`);
    network.cut();
    await untilOthersWentOn(cluster, index);
    const atTip = toTip(cluster);
    network.mend();
    return atTip(index);
  },

  /** Every process has a slow network for some messages; the longest time between two of them. */
  async slow(cluster) {
    for (const name of cluster.names) cluster.network(name).slow(SLOW_MS);
    let longestMs = 0;
    for (let passed = 0; passed < SLOW_MESSAGES; passed++) {
      const { seq } = await cluster.lastHead();
      longestMs = Math.max(longestMs, await cluster.follows(seq));
    }
    for (const name of cluster.names) cluster.network(name).mend();
    return longestMs;
  },

  /** A node shows other blocks first, and the right ones later; the longest time between messages. */
  async 'lying-node'(cluster) {
    const { chain } = cluster;
    const before = chain.spoil(0, { equivocation: 1 });
    let longestMs = 0;
    for (const until = chain.tipSlot + AWAY_SLOTS; chain.tipSlot < until; ) {
      const { seq } = await cluster.lastHead();
      longestMs = Math.max(longestMs, await cluster.follows(seq));
    }
    if (before !== null) chain.spoil(0, before);
    return longestMs;
  },

  /** The stream has no room until its limit is raised; from then until the next message. */
  async 'full-stream'(cluster) {
    const { manager } = cluster;
    const { state } = await manager.streams.info(STREAM);
    const limit = { max_bytes: state.bytes + ROOM_BYTES, discard: DiscardPolicy.New };
    const writer = cluster.ingester(await cluster.writer());
    await manager.streams.update(STREAM, limit);
    await writer.shows(/takes no more steps/, PATIENCE_MS);
    const { seq } = await cluster.lastHead();
    await manager.streams.update(STREAM, { max_bytes: -1, discard: DiscardPolicy.Old });
    return cluster.follows(seq);
  },
} as const satisfies Record<string, ClusterFault>;

/** What a storm of several machines harms. */
export type Victim = keyof typeof CLUSTER_FAULTS;

export const VICTIMS = Object.keys(CLUSTER_FAULTS) as readonly Victim[];

async function untilReplaced(cluster: ClusterProcesses, name: string): Promise<number> {
  const { seq } = await cluster.lastHead();
  return cluster.follows(seq, (head) => writerOf(head) !== name);
}

/** Until a sign of life that was sent after now says that the ingester waits. */
async function untilWaiting(cluster: ClusterProcesses, name: string): Promise<void> {
  cluster.beats.delete(name);
  await cluster.until(`${name} waits`, () => cluster.beats.get(name) === 'standby');
}

/** Until another fold has applied more slots. */
async function untilOthersWentOn(cluster: ClusterProcesses, index: number): Promise<void> {
  const other = cluster.folds.filter((_, at) => at !== index);
  await cluster.untilFinal((cluster.fold(index).figures.finalSlot ?? 0) + AWAY_SLOTS, other);
}

/** Measures from now until a fold has the block that is the newest now. */
function toTip(cluster: ClusterProcesses): (index: number) => Promise<number> {
  const startedMs = performance.now();
  const tipSlot = cluster.chain.canonical.at(-1)?.block.slot ?? 0;
  return async (index) => {
    await cluster.fold(index).until(({ headSlot }) => (headSlot ?? 0) >= tipSlot, PATIENCE_MS);
    return performance.now() - startedMs;
  };
}
