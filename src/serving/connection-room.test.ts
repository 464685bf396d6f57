import { expect, test } from 'vitest';
import { connectionRoom } from './connection-room.ts';

test.each([
  [1_024, 512],
  [256, 64],
  [65_536, 20_000],
  [null, 20_000],
])('of %s files leave %s to connections', (filesMax, room) => {
  expect(connectionRoom(filesMax)).toBe(room);
});
