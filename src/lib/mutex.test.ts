import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Mutex } from './mutex.ts';

test('a mutex runs one piece of work at a time, in order, even after a failure', async () => {
  const mutex = new Mutex();
  const said: string[] = [];
  const work = (name: string, ms: number) => async () => {
    said.push(`${name} begins`);
    await delay(ms);
    said.push(`${name} ends`);
    if (name === 'second') throw new Error('second failed');
    return name;
  };
  const runs = [
    mutex.run(work('first', 5)),
    mutex.run(work('second', 1)),
    mutex.run(work('third', 0)),
  ];
  expect(await Promise.allSettled(runs)).toMatchObject([
    { status: 'fulfilled', value: 'first' },
    { status: 'rejected', reason: { message: 'second failed' } },
    { status: 'fulfilled', value: 'third' },
  ]);
  const order = ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  expect(said).toEqual(order);
});
