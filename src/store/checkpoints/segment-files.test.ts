import { describe, expect, test } from 'vitest';
import { UnreliableFiles } from '../../../tests/support/unreliable-files.ts';
import { SegmentFiles, segmentName, segmentOf } from './segment-files.ts';

const span = (text: string, position = 0) => ({ bytes: Buffer.from(text), position });

async function withSegments(count: number, openMax: number) {
  const access = new UnreliableFiles();
  const files = new SegmentFiles(access, openMax);
  for (let segment = 1; segment <= count; segment++) {
    files.write(segment, span(`segment ${segment}`));
    await files.sync(segment);
  }
  return { access, files };
}

function textOf(files: SegmentFiles, segment: number): string {
  const bytes = Buffer.alloc(9);
  expect(files.read(segment, { bytes, position: 0 })).toBe(true);
  return bytes.toString();
}

describe('files of segments', () => {
  test('are named by their number', () => {
    expect(segmentName(12)).toBe('segment-00000012.bin');
    expect(segmentOf('segment-00000012.bin')).toBe(12);
    for (const name of ['segment-12.bin', 'segment-00000012.bin.tmp', 'other']) {
      expect(segmentOf(name)).toBe(null);
    }
  });

  test('are open at most as many at a time as permitted, and opened again to be read', async () => {
    const { access, files } = await withSegments(9, 3);
    for (let round = 0; round < 2; round++) {
      for (let segment = 1; segment <= 9; segment++) {
        expect(textOf(files, segment)).toBe(`segment ${segment}`);
        expect(access.openCount).toBeLessThanOrEqual(3);
      }
    }
    files.close();
    expect(access.openCount).toBe(0);
  });

  test('stay open until their bytes are durable', async () => {
    const { access, files } = await withSegments(2, 2);
    for (let segment = 3; segment <= 6; segment++) files.write(segment, span('bytes'));
    textOf(files, 1);
    expect(access.openCount).toBe(5);
    expect(files.unsyncedSegments).toEqual([3, 4, 5, 6]);
    for (const segment of files.unsyncedSegments) await files.sync(segment);
    textOf(files, 2);
    expect(access.openCount).toBe(2);
  });

  test('are opened with fewer open ones when the process may not open more', async () => {
    const { access, files } = await withSegments(8, 8);
    access.failure = { step: access.steps + 1, code: 'EMFILE' };
    files.write(9, span('segment 9'));
    // Seven to make room, then half of them, and the new one.
    expect(access.openCount).toBe(4);
    expect(textOf(files, 9)).toBe('segment 9');
  });
});
