import type { Attack } from './attack.ts';
import { keepAsking } from './http-load.ts';

const PARALLEL = 50;

/** Guesses keys. */
export const wrongKeys: Attack = {
  name: 'wrong-keys',
  summary: `${PARALLEL} requests at a time, each with another wrong key.`,
  async run(target, tally, signal) {
    const ask = (count: number) => ({
      path: '/v1/tokens',
      headers: { 'x-api-key': `guess-${count}-0123456789abcdef` },
    });
    await keepAsking(target, PARALLEL, ask, tally, signal);
  },
};
