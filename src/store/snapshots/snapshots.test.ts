import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../model/errors.ts';
import { asSlot } from '../../model/units.ts';
import { DamagedFileError } from './snapshot-file.ts';
import { type SnapshotHead, Snapshots } from './snapshots.ts';

let folder: string;
let snapshots: Snapshots;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'snapshots-')), 'inside');
  snapshots = new Snapshots(folder);
});

afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

const headOf = (slot: number): SnapshotHead => ({
  ...{ rules: 'fold 1', epoch: 3, slot: asSlot(slot), blockhash: `hash ${slot}`, olderSlots: 2 },
});
const chunksOf = (...texts: string[]) => texts.map((text) => Buffer.from(text));
const slots = () => snapshots.names().map((name) => Number(name.split('-')[1]));
const pathOf = (name: string) => join(folder, name);
const onlyName = () => snapshots.names()[0] ?? '';

/** Reads a snapshot to the end, as a restore does. */
function contentOf(name: string): string {
  const { chunks } = snapshots.open(name);
  return Array.from(chunks, String).join('');
}

describe('a snapshot', () => {
  test('is read as it was written, chunk by chunk', async () => {
    await snapshots.write(headOf(7), chunksOf('one', '', 'two'));
    const { head, chunks } = snapshots.open(onlyName());
    expect(head).toEqual(headOf(7));
    expect(Array.from(chunks, String)).toEqual(['one', 'two']);
  });

  test('is named after its slot and its content', async () => {
    await snapshots.write(headOf(7), chunksOf('one'));
    await snapshots.write(headOf(7), chunksOf('other'));
    const names = snapshots.names();
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^snapshot-7-[0-9a-f]{64}\.bin$/);
  });

  test('lets other work run while it is written', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 0);
    const chunks = Array.from({ length: 50 }, () => Buffer.alloc(200_000));
    await snapshots.write(headOf(1), chunks);
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(0);
  });
});

describe('the folder', () => {
  test('keeps the newest two by slot', async () => {
    expect(slots()).toEqual([]);
    for (const slot of [5, 90, 100]) await snapshots.write(headOf(slot), chunksOf('state'));
    expect(slots()).toEqual([100, 90]);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('removes a refused snapshot first, and keeps usable ones', async () => {
    for (const slot of [5, 90]) await snapshots.write(headOf(slot), chunksOf('state'));
    snapshots.refuse(onlyName());
    await snapshots.write(headOf(80), chunksOf('state'));
    expect(slots()).toEqual([80, 5]);
  });

  test('ignores files that are not named like snapshots', async () => {
    await snapshots.write(headOf(5), chunksOf('state'));
    for (const name of ['snapshot-6.bin', 'unfinished.tmp', 'snapshot-7-abc.bin']) {
      writeFileSync(pathOf(name), 'x');
    }
    expect(slots()).toEqual([5]);
  });

  test('is unchanged when the state cannot be read to its end', async () => {
    await snapshots.write(headOf(5), chunksOf('state'));
    function* failing(): Iterable<Uint8Array> {
      yield Buffer.from('half');
      throw new TypeError('broken');
    }
    await expect(snapshots.write(headOf(6), failing())).rejects.toThrow(TypeError);
    expect(readdirSync(folder)).toEqual([onlyName()]);
    expect(contentOf(onlyName())).toBe('state');
  });

  test('is unchanged when another process took over writing', async () => {
    await snapshots.write(headOf(5), chunksOf('state'));
    const fenced = new Snapshots(folder, async () => {
      throw new StoreError('another process writes');
    });
    await expect(fenced.write(headOf(6), chunksOf('late'))).rejects.toThrow(StoreError);
    expect(slots()).toEqual([5]);
  });

  test('that cannot be created gives a StoreError with the slot', async () => {
    writeFileSync(folder, 'a file');
    const writing = snapshots.write(headOf(6), chunksOf('state'));
    await expect(writing).rejects.toThrow(/^No snapshot of slot 6 can be kept: /);
    await expect(writing).rejects.toThrow(StoreError);
  });
});

describe('a damaged snapshot is refused', () => {
  beforeEach(async () => {
    await snapshots.write(headOf(7), chunksOf('the first chunk', 'the second', 'the third'));
  });

  test('when truncated to any length', () => {
    const name = onlyName();
    const size = readFileSync(pathOf(name)).length;
    for (let length = size - 1; length >= 0; length--) {
      truncateSync(pathOf(name), length);
      expect(() => contentOf(name)).toThrow(DamagedFileError);
    }
  });

  test('with any bit of any byte flipped', () => {
    const name = onlyName();
    const whole = readFileSync(pathOf(name));
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ (1 << ((at * 5) & 7));
      writeFileSync(pathOf(name), changed);
      expect(() => contentOf(name)).toThrow(DamagedFileError);
    }
  });

  test('when it does not exist or is a folder', () => {
    const name = onlyName();
    rmSync(pathOf(name));
    expect(() => contentOf(name)).toThrow(/cannot be read .*ENOENT/);
    mkdirSync(pathOf(name));
    expect(() => contentOf(name)).toThrow(/cannot be read .*EISDIR/);
  });

  test('with parts missing, repeated or in another order', () => {
    const name = onlyName();
    const whole = readFileSync(pathOf(name));
    const cut = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.nat(whole.length));
    fc.assert(
      fc.property(cut, (points) => {
        const [a = 0, b = 0, c = 0] = [...points].sort((one, other) => one - other);
        const swapped = [whole.subarray(0, a), whole.subarray(b, c), whole.subarray(a, b)];
        const changed = Buffer.concat([...swapped, whole.subarray(c)]);
        fc.pre(!changed.equals(whole));
        writeFileSync(pathOf(name), changed);
        expect(() => contentOf(name)).toThrow(DamagedFileError);
      }),
      { numRuns: 300 },
    );
  });

  test('with anything after its end', () => {
    appendFileSync(pathOf(onlyName()), '\0');
    expect(() => contentOf(onlyName())).toThrow('something follows its end');
  });

  test('with the slot or the digest of another one', async () => {
    const name = onlyName();
    const [, , digest] = name.split('-');
    await snapshots.write(headOf(8), chunksOf('another'));
    const other = onlyName();
    copyFileSync(pathOf(name), pathOf(`snapshot-9-${digest}`));
    copyFileSync(pathOf(name), pathOf(other));
    for (const copy of [`snapshot-9-${digest}`, other]) {
      expect(() => contentOf(copy)).toThrow('its name is that of another one');
    }
    expect(contentOf(name)).toContain('the third');
  });
});
