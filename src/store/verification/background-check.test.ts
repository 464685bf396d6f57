import { describe, expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import { checkInBackground } from './background-check.ts';
import type { Finding } from './finding.ts';
import { type StoredPart, toPart } from './stored-part.ts';

const NONE_UNREAD = { parts: 0, bytes: 0, why: null };

const DAY_MS = 24 * 60 * 60 * 1_000;

function part(name: string, bytes = 1): StoredPart {
  const found = toPart('swaps', name, { rows: 1, bytes, hash: name });
  if (found === null) throw new Error(`${name} is no name of a part`);
  return found;
}

/** Reads parts until none is due, and returns them in the order in which they were read. */
async function readOnce(
  checkedAtMs: Readonly<Record<string, number>>,
  damaged: string | null,
  bytesOf: (name: string) => number = () => 1,
) {
  const stopping = new AbortController();
  const names = ['1_1_1_0', '1_2_2_0', '1_3_3_0'];
  const read: string[] = [];
  const found: Finding[] = [];
  let looks = 0;
  await checkInBackground(
    {
      partsToRead: async () => {
        if (++looks > 6) stopping.abort();
        return names.map((name) => part(name, bytesOf(name)));
      },
      readParts: async (parts) => {
        const [{ name } = part('1_9_9_0')] = parts;
        read.push(name);
        const finding: Finding = { kind: 'part-damaged', table: 'swaps', part: name, why: 'x' };
        const findings = name === damaged ? [finding] : [];
        return { findings, bytes: 1, bytesTotal: 1, parts: 1, partsTotal: 1, unread: NONE_UNREAD };
      },
      checkedAtMs: ({ name }) => checkedAtMs[name] ?? null,
    },
    {
      nowMs: () => 10 * DAY_MS,
      onDamage: (finding) => found.push(finding),
      signal: stopping.signal,
      restMinMs: 0,
      idleMs: 0,
    },
  );
  return { read, found };
}

describe('reading parts in the background', () => {
  test('reads each part once, also unrecorded ones, and reports the damaged one once', async () => {
    const { read, found } = await readOnce({}, '1_2_2_0');
    expect(read).toEqual(['1_1_1_0', '1_2_2_0', '1_3_3_0']);
    expect(found).toEqual([{ kind: 'part-damaged', table: 'swaps', part: '1_2_2_0', why: 'x' }]);
  });

  test('does not read a part so large that a stop of the service would have to wait for it', async () => {
    const { read } = await readOnce({}, null, (name) => (name === '1_2_2_0' ? 2 ** 30 + 1 : 1));
    expect(read).toEqual(['1_1_1_0', '1_3_3_0']);
  });

  test('skips parts that were read within a day', async () => {
    const hoursAgo = (hours: number) => 10 * DAY_MS - hours * 3_600_000;
    const { read } = await readOnce({ '1_1_1_0': hoursAgo(23), '1_2_2_0': hoursAgo(25) }, null);
    expect(read).toEqual(['1_2_2_0', '1_3_3_0']);
  });

  test('treats new parts as just written, so that older parts are read', async () => {
    const stopping = new AbortController();
    const read: string[] = [];
    let looks = 0;
    await checkInBackground(
      {
        // Each pass finds as many new parts as a writing service creates, and they come first.
        partsToRead: async () => {
          if (++looks > 8) stopping.abort();
          const written = looks === 1 ? [] : [part(`1_${looks * 10}_${looks * 10}_0`)];
          return [...written, part('1_1_1_0'), part('1_2_2_0')];
        },
        readParts: async (parts) => {
          read.push(...parts.map(({ name }) => name));
          return {
            findings: [],
            bytes: 1,
            bytesTotal: 1,
            parts: 1,
            partsTotal: 1,
            unread: NONE_UNREAD,
          };
        },
        checkedAtMs: () => null,
      },
      {
        nowMs: () => 10 * DAY_MS,
        onDamage: () => undefined,
        signal: stopping.signal,
        restMinMs: 0,
        idleMs: 0,
      },
    );
    expect(read).toEqual(['1_1_1_0', '1_2_2_0']);
  });

  test('continues after a transient failure, and ends with a permanent one', async () => {
    const stopping = new AbortController();
    const full = new StoreError('The disk is full.', { isTransient: true });
    const lost = new StoreError('The store is closed.');
    let looks = 0;
    const running = checkInBackground(
      {
        partsToRead: async () => {
          looks++;
          // Ends the test even if the check wrongly continues.
          if (looks > 9) stopping.abort();
          throw looks <= 3 ? full : lost;
        },
        readParts: async () => ({
          findings: [],
          ...{ bytes: 0, bytesTotal: 0, parts: 0, partsTotal: 0, unread: NONE_UNREAD },
        }),
        checkedAtMs: () => null,
      },
      {
        nowMs: () => 10 * DAY_MS,
        onDamage: () => undefined,
        signal: stopping.signal,
        restMinMs: 0,
        idleMs: 0,
      },
    );
    await expect(running).rejects.toBe(lost);
    expect(looks).toBe(4);
  });
});
