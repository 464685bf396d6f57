import type { Attack } from './attack.ts';
import { type HttpAsk, keepAsking } from './http-load.ts';

const PARALLEL = 100;
const CONDITIONS = 32;

/**
 * Adds triggers that are immediately true, lists and removes them, as fast as the service answers.
 */
export const triggerFlood: Attack = {
  name: 'trigger-flood',
  summary: `${PARALLEL} requests at a time that add triggers of ${CONDITIONS} conditions to pools that trade, list and remove them.`,
  async run(target, tally, signal) {
    await keepAsking(target, PARALLEL, (count) => askOf(target.pools, count), tally, signal);
  },
};

function askOf(pools: readonly { readonly pool: string }[], count: number): HttpAsk {
  const id = `flood ${count >> 2}`;
  if (count % 8 === 3) return { path: '/v1/triggers?per_page=100' };
  if (count % 8 === 7)
    return { method: 'DELETE', path: `/v1/triggers/remove?trigger_id=${encodeURIComponent(id)}` };
  const field = ['number_of_buys', 'number_of_sells'][count % 2];
  const conditions = Array.from({ length: CONDITIONS }, (_, index) => ({
    field,
    operator: 'gt',
    value: String(index % 2),
  }));
  const pool = pools[count % Math.max(1, pools.length)]?.pool ?? '';
  const body = { trigger_id: `${id} ${count % 4}`, pair_address: pool, conditions };
  return { method: 'POST', path: '/v1/triggers/add', body };
}
