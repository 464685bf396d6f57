import { describe, expect, test } from 'vitest';
import { describeEnd, streamEndOf } from './stream-end.ts';

describe('streamEndOf', () => {
  test.each([
    [11, 'broadcast from 7 is not available, last available: 12', 'replay-refused'],
    [11, '', 'replay-refused'],
    [15, 'no such slot', 'replay-refused'],
    [13, 'broadcast from 7 is not available, last available: 12', 'replay-refused'],
    [13, 'from_slot is not supported', 'replay-refused'],
    [3, 'first available slot: 12', 'replay-refused'],
    [3, 'failed to get replay position for slot 7', 'replay-refused'],
    [3, 'filter has too many accounts', 'denied'],
    [7, 'no such token', 'denied'],
    [12, '', 'denied'],
    [16, 'No valid auth token', 'denied'],
    [13, 'failed to get replay response', 'retry'],
    [13, 'lagged to send an update', 'retry'],
    [14, 'shutting down', 'retry'],
    [8, 'too many streams', 'retry'],
    [0, '', 'retry'],
    [1, 'closed', 'retry'],
    [99, '', 'retry'],
  ])('of code %d with "%s" is %s', (code, message, expected) => {
    expect(streamEndOf({ code, message }, true)).toBe(expected);
  });

  test('is not a refused replay where none was requested', () => {
    expect(streamEndOf({ code: 11, message: '' }, false)).toBe('retry');
    expect(streamEndOf({ code: 13, message: 'from_slot is not supported' }, false)).toBe('retry');
  });
});

test('an end for lack of rights says which setting to check, any other one does not', () => {
  expect(describeEnd({ code: 16, message: 'no valid token' })).toBe(
    'no valid token (code 16): check MINTSCOPE_YELLOWSTONE_TOKEN',
  );
  expect(describeEnd({ code: 14, message: 'unavailable' })).toBe('unavailable (code 14)');
});
