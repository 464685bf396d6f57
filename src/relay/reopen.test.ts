import { expect, test } from 'vitest';
import { reopen } from './reopen.ts';
import { REPLICA_LIMITS, Replica } from './replica.ts';

const lost = new Replica('http://127.0.0.1:1', REPLICA_LIMITS);

test('what was opened for a client that left meanwhile is returned, so that it can be ended', async () => {
  const leaving = new AbortController();
  const connect = async () => {
    leaving.abort();
    return 'opened';
  };
  const isOpen = () => true;
  expect(await reopen(connect, isOpen, { lost, signal: leaving.signal })).toBe('opened');
});

test('nobody is asked again for a client that left', async () => {
  const leaving = new AbortController();
  let asked = 0;
  const connect = async () => {
    asked++;
    leaving.abort();
    return null;
  };
  const isOpen = () => true;
  expect(await reopen(connect, isOpen, { lost, signal: leaving.signal })).toBe(null);
  expect(asked).toBe(1);
});

test('the replica that was lost is asked after the others', async () => {
  const { signal } = new AbortController();
  const tried: boolean[] = [];
  const connect = async (passedOver: ReadonlySet<Replica>) => {
    tried.push(passedOver.has(lost));
    return tried.length === 2 ? 'opened' : null;
  };
  expect(await reopen(connect, () => true, { lost, signal })).toBe('opened');
  expect(tried).toEqual([true, false]);
});
