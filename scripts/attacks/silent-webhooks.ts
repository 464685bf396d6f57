import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackTarget, Tally } from './attack.ts';
import { keepAsking } from './http-load.ts';

const WEBHOOKS = 50;
const PARALLEL = 20;

/**
 * Registers webhooks on receivers that never answer and on names without a server, and requests
 * test events.
 */
export const silentWebhooks: Attack = {
  name: 'silent-webhooks',
  summary: `${WEBHOOKS} webhooks, half on a receiver that takes connections and never answers, half on names of no server, and test events to all of them all the time.`,
  async run(target, tally, signal) {
    const ids = await register(target, tally);
    const path = (count: number) => `/v1/webhooks/${ids[count % Math.max(1, ids.length)]}/test`;
    await keepAsking(
      target,
      PARALLEL,
      (count) => ({ method: 'POST', path: path(count) }),
      tally,
      signal,
    );
  },
};

async function register(
  { host, port, keys: [key], silentPort }: AttackTarget,
  tally: Tally,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let count = 0; count < WEBHOOKS; count++) {
    const url =
      count % 2 === 0
        ? `http://127.0.0.1:${silentPort}/hook/${count}`
        : `https://silent-${count}.mintscope-attack.net/hook`;
    const answer = await fetch(`http://${host}:${port}/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ url, event_types: ['trigger.fired', 'fraud.found'] }),
    });
    tally.count(answer.status);
    const { id } = (await answer.json()) as { readonly id?: string };
    if (id !== undefined) ids.push(id);
    await sleep(20);
  }
  return ids;
}
