/**
 * The process that is started after a kill: opens the newest checkpoint, answers a row, applies what
 * came after it, and stores the state. Started by `killed-run.ts`.
 */
import { join } from 'node:path';
import { integer } from '../table.ts';
import { ProgressLines } from './progress-lines.ts';
import { endReports, orderOf, report } from './reporting-process.ts';
import type { RestartOrder, RestartReport } from './run-order.ts';
import { StoredSubject } from './state-subject.ts';
import { StoredMarkets } from './stored-markets.ts';
import { readThreadTime, timeBetween } from './thread-time.ts';

const order = orderOf<RestartOrder>();
const progress = new ProgressLines();
progress.say('restart: opening the newest checkpoint');
const { killedAt, folder, options } = order;
const subject = await StoredSubject.open(order);
const { lastSlot } = subject.engine;
if (lastSlot === null) throw new Error('there is no checkpoint');
const row = killedAt.pool === null ? null : subject.engine.pool(killedAt.pool);
const { user, system } = process.cpuUsage();
const processorMs = (user + system) / 1_000;
await report<RestartReport>({ kind: 'answered', isFound: row !== null, processorMs });

const slots = killedAt.slot - lastSlot;
progress.say(`restart: answered, on to ${integer(slots)} slots after the checkpoint`);
const market = new StoredMarkets(join(folder, 'market'), options).open(lastSlot + 1, (nextSlot) =>
  progress.step(
    () => `restart: ${integer(lastSlot + 1 - nextSlot)} slots of the market to be made`,
  ),
);
const { swaps } = market.counters;
let [ms, appliedProcessorMs] = [0, 0];
while (market.nextSlot <= killedAt.slot) {
  const facts = market.next();
  const started = readThreadTime();
  await subject.apply(facts);
  const took = timeBetween(started, readThreadTime());
  ms += took.ms;
  appliedProcessorMs += took.processorMs;
  const done = market.nextSlot - 1 - lastSlot;
  const since = market.counters.swaps - swaps;
  progress.step(
    () => `restart: ${integer(done)} of ${integer(slots)} slots applied, ${integer(since)} swaps`,
  );
}
const digest = subject.engine.digest();
const applied = { ms, processorMs: appliedProcessorMs };
await report<RestartReport>({ kind: 'caughtUp', applied, slots, digest });
progress.say('restart: storing the state');
await subject.store();
endReports();
