import { beforeAll, describe, expect, test } from 'vitest';
import { buildChanges } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { fakeToken } from '../../../tests/support/fake-api-deps.ts';
import { type Address, asSlot } from '../../model/units.ts';
import type { CreatedTokenCursor } from '../../model/wallet-lists.ts';
import { StoredCreatedTokens } from './created-tokens.ts';

const creator = address('creator');
const [one, two] = [address('a'), address('b')];
const [a, b] = one < two ? [one, two] : [two, one];
const token = (mint: Address, creationSlot: number | null, slot: number, of = creator) =>
  fakeToken({
    ...{ mint, creator: of, slot: asSlot(slot) },
    creationSlot: creationSlot === null ? null : asSlot(creationSlot),
  });

describe.each(transports)('stored tokens of a creator %s', (_, open) => {
  const opened = useDataPlane(open);
  beforeAll(async () => {
    const write = (slot: number, tokens: ReturnType<typeof token>[]) =>
      opened.writer.writeBatch({ slots: [], changes: [buildChanges(slot, { tokens })], epoch: 1 });
    const [newer, unknown] = [address('newer'), address('unknown')];
    await write(100, [token(a, 50, 100), token(b, 50, 100), token(address('x'), 55, 100)]);
    await write(101, [token(newer, 60, 101), token(unknown, null, 101)]);
    // The creator of x is another one, as became known later.
    await write(102, [token(address('x'), 55, 102, address('stranger'))]);
  });

  test('are listed newest first, unknown slots last, and continue after each of them', async () => {
    const stored = new StoredCreatedTokens(opened.plane.fast, { epoch: 1 });
    const expected = [address('newer'), a, b, address('unknown')];
    const all = await stored.of({ creator, after: null, limit: 10 });
    expect(all.map(({ mint }) => mint)).toEqual(expected);
    for (const [at, { creationSlot: slot, mint }] of all.entries()) {
      const after: CreatedTokenCursor = { slot, mint };
      const rest = await stored.of({ creator, after, limit: 2 });
      expect(rest.map((one) => one.mint)).toEqual(expected.slice(at + 1, at + 3));
    }
  });
});
