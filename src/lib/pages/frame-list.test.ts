import { expect, test } from 'vitest';
import { FrameList } from './frame-list.ts';

test('a list of frames grows, is visited in order, and is empty afterwards', () => {
  const list = new FrameList();
  const frames = Array.from({ length: 1_000 }, (_, index) => 7 * index);
  for (let round = 0; round < 2; round++) {
    for (const frame of frames) list.add(frame);
    expect(list.length).toBe(1_000);
    const visited: number[] = [];
    list.drain((frame) => visited.push(frame));
    expect(visited).toEqual(frames);
    expect(list.length).toBe(0);
  }
});
