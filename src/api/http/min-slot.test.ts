import { describe, expect, test } from 'vitest';
import { MINT, READ_KEY, SLOT } from '../../../tests/support/fake-api-deps.ts';
import { fakeApiServer, sharedApiServer } from '../../../tests/support/fake-api-server.ts';
import { asSlot } from '../../model/units.ts';
import { ReachedSlots } from './reached-slots.ts';

const url = `/v1/token/${MINT}`;
const wanting = (slot: string | number, key = READ_KEY) => ({
  url,
  headers: { 'x-api-key': key, 'x-min-slot': String(slot) },
});

describe('a request that names a slot', () => {
  test('is answered like any other once the slot was reached', async () => {
    const server = sharedApiServer();
    const plain = await server.inject({ url, headers: { 'x-api-key': READ_KEY } });
    for (const slot of [0, SLOT - 1, SLOT]) {
      const answer = await server.inject(wanting(slot));
      expect([answer.statusCode, answer.body]).toEqual([200, plain.body]);
    }
  });

  test('waits for its slot', async () => {
    const reached = new ReachedSlots(3_600_000);
    reached.publish(SLOT);
    const server = fakeApiServer({ reached });
    let isAnswered = false;
    const answer = server.inject(wanting(SLOT + 1)).then((one) => {
      isAnswered = true;
      return one;
    });
    const other = await server.inject(wanting(SLOT));
    expect([other.statusCode, isAnswered]).toEqual([200, false]);
    reached.publish(asSlot(SLOT + 1));
    expect((await answer).statusCode).toBe(200);
  });

  test('is refused with the reached slot when that takes too long', async () => {
    const answer = await sharedApiServer().inject(wanting(SLOT + 1));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'x-slot': String(SLOT), 'retry-after': '1' });
    expect(answer.json()).toEqual({
      code: 503,
      message: `Slot ${SLOT + 1} was not reached in time.`,
    });
  });

  test('is refused before it waits if its key is wrong', async () => {
    const server = fakeApiServer({ reached: new ReachedSlots(3_600_000) });
    expect((await server.inject(wanting(SLOT + 1, 'wrong'))).statusCode).toBe(401);
  });

  test.each(['', '-1', '1.5', '0x10', '99999999999999999', '12345678901234567'])(
    'must name one: %j',
    async (text) => {
      const answer = await sharedApiServer().inject(wanting(text));
      expect([answer.statusCode, answer.json().message]).toEqual([
        400,
        'x-min-slot must be a slot.',
      ]);
    },
  );
});

test('readiness names the slot that reads are answered as of', async () => {
  const { headers } = await sharedApiServer().inject('/readyz');
  expect(headers['x-slot']).toBe(String(SLOT));
});
