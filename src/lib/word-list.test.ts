import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateImage } from '../../tests/support/state-image.ts';
import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/** On three pages, and at their bounds. */
const index = fc.constantFrom(0, 1, 8_191, 8_192, 16_383, 16_384, 20_000);
const word = fc.oneof(fc.nat(3), fc.constant(2 ** 32 - 1));
const round = fc.tuple(fc.array(fc.tuple(index, word), { maxLength: 6 }), fc.boolean());

test('a list of words answers like a Map, and is fully restored by an undo', () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 10 }), (rounds) => {
      const undo = new UndoLog(1);
      const list = new WordList(undo);
      let mirror = new Map<number, number>();
      for (const [changes, isUndone] of rounds) {
        const before = { image: stateImage(list), mirror: new Map(mirror) };
        undo.open();
        for (const [at, value] of changes) {
          list.set(at, value);
          mirror.set(at, value);
        }
        undo.close();
        if (isUndone) {
          undo.undo();
          mirror = before.mirror;
          expect(stateImage(list)).toEqual(before.image);
        } else undo.forget(1);
        for (const at of [0, 1, 2, 8_191, 8_192, 16_383, 16_384, 20_000, 10 ** 6]) {
          expect(list.get(at)).toBe(mirror.get(at) ?? 0);
        }
      }
    }),
  );
});
