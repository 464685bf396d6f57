/**
 * Attacks from its own process, so that measurements are not disturbed: `attack-process.ts <name>`;
 * receives its target and the end by message, and sends its tally as the last message.
 */
import { createServer } from 'node:net';
import { type AttackTarget, Tally } from './attack.ts';
import { ATTACKS } from './registry.ts';

export type AttackOrder =
  | { readonly kind: 'begin'; readonly target: Omit<AttackTarget, 'silentPort'> }
  | { readonly kind: 'end' };

const attack = ATTACKS.find(({ name }) => name === process.argv[2]);
const tally = new Tally();
const ending = new AbortController();

process.once('disconnect', () => process.exit(1));
process.on('message', (order: AttackOrder) => {
  if (order.kind === 'end') ending.abort();
  else void run(order.target);
});

async function run(target: Omit<AttackTarget, 'silentPort'>): Promise<void> {
  if (attack === undefined) throw new Error('there is no such attack');
  const silentPort = Number(process.argv[3]);
  const silent = createServer((socket) => socket.on('error', () => undefined));
  silent.listen(silentPort, '127.0.0.1');
  await attack.run({ ...target, silentPort }, tally, ending.signal);
  process.send?.(tally.counts, () => process.exit(0));
}
