import { describe, expect, test } from 'vitest';
import { concat, hex, u64 } from '../../../tests/support/borsh-bytes.ts';
import { LOGGED_FIELDS_OFFSET, loggedEvents } from './logged-events.ts';

const WANTED = 'bddb7fd34ee661ee';
const line = (discriminator: string, ...fields: readonly Uint8Array[]) =>
  `Program data: ${Buffer.from(concat(hex(discriminator), ...fields)).toString('base64')}`;

describe('events in the log', () => {
  test('are found in order among other lines and other events', () => {
    const found = loggedEvents(
      [
        'Program log: Instruction: Buy',
        line(WANTED, u64(1n)),
        line('ffca4c935be74916', u64(2n)),
        `Program log: ${line(WANTED, u64(3n))}`,
        line(WANTED, u64(4n)),
      ],
      WANTED,
    );
    const amounts = [...found].map((data) =>
      Buffer.from(data).readBigUInt64LE(LOGGED_FIELDS_OFFSET),
    );
    expect(amounts).toEqual([1n, 4n]);
  });

  test('are not read from a truncated or unrelated line', () => {
    const lines = ['Program data: ', 'Program data: vdt/', 'Program data: ?!', 'Log truncated'];
    expect([...loggedEvents(lines, WANTED)]).toEqual([]);
  });
});
