import { describe, expect, test } from 'vitest';
import { EventParser, opensStream } from './event-parser.ts';

const bytes = (text: string) => Buffer.from(text);
const eventsOf = (text: string) => new EventParser().take(bytes(text));

/** As the service sends them: an opening, then a message whose text anybody may have chosen. */
const HOSTILE = 'id: 7\ndata: {"topic":"token","seq":7,"slot":12,"name":"retry: 1 event: ack"}\n\n';
const STREAM = `:    \n\nretry: 1000\n\nevent: ack\ndata: {"type":"ack"}\n\n${HOSTILE}`;

describe('a stream of events', () => {
  test('is taken apart without changing it, wherever its bytes are divided', () => {
    const whole = bytes(STREAM.replace('name', 'näme🪙'));
    for (let at = 0; at <= whole.length; at++) {
      const parser = new EventParser();
      const events = [...parser.take(whole.subarray(0, at)), ...parser.take(whole.subarray(at))];
      expect(events.map(({ text }) => text).join('')).toBe(whole.toString());
      expect(events.map(({ name }) => name)).toEqual(['comment', 'comment', 'ack', 'message']);
    }
  });

  test('has the position and the slot of each message', () => {
    expect(eventsOf(HOSTILE)).toEqual([{ text: HOSTILE, name: 'message', id: '7', slot: 12 }]);
    expect(eventsOf('data: {"seq":1}\n\n')).toMatchObject([{ id: null, slot: null }]);
  });

  test('is opened by the pause and the acknowledgement, and by no text of a message', () => {
    expect(eventsOf(STREAM).map(opensStream)).toEqual([false, true, true, false]);
  });

  test('is refused if an event has no end', () => {
    const parser = new EventParser();
    expect(() => parser.take(bytes(`data: ${'x'.repeat(5 * 1_048_576)}`))).toThrow(RangeError);
  });
});
