import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesOfLocations,
  LOCATION_BYTES,
  locationsOf,
  RECORD_BYTES_MAX,
  type RecordLocation,
  readLocation,
  SEGMENT_BYTES_MAX,
  SEGMENTS_MAX,
  UNIT_BYTES,
  writeLocation,
} from './record-location.ts';

const upTo = (max: number) => fc.oneof(fc.nat(max), fc.constantFrom(0, 1, max));
const anyLocation: fc.Arbitrary<RecordLocation> = fc
  .record({
    segment: upTo(SEGMENTS_MAX - 2),
    offset: upTo(SEGMENT_BYTES_MAX / UNIT_BYTES - 1),
    size: upTo(RECORD_BYTES_MAX / UNIT_BYTES),
    isIndirect: fc.boolean(),
  })
  .map(({ segment, offset, size, isIndirect }) => ({
    segment: segment + 1,
    offsetBytes: offset * UNIT_BYTES,
    sizeBytes: size * UNIT_BYTES,
    isIndirect,
  }));

test('a location of any size is read as it was written, and leaves its neighbours alone', () => {
  fc.assert(
    fc.property(anyLocation, (location) => {
      const words = new Uint32Array([1, 2, 3, 4, 5, 6]);
      writeLocation(words, 2, location);
      expect(readLocation(words, 2)).toEqual(location);
      writeLocation(words, 2, null);
      expect(readLocation(words, 2)).toBe(null);
      expect([...words]).toEqual([1, 2, 0, 0, 5, 6]);
    }),
  );
});

test('locations take eight bytes each as a list', () => {
  fc.assert(
    fc.property(fc.array(anyLocation), (locations) => {
      const bytes = bytesOfLocations(locations);
      expect(bytes).toHaveLength(locations.length * LOCATION_BYTES);
      expect(locationsOf(bytes)).toEqual(locations);
    }),
  );
});

test('the bits of a location are those of the documented layout', () => {
  const words = new Uint32Array(2);
  const offsetBytes = 5 * UNIT_BYTES;
  writeLocation(words, 0, { segment: 3, offsetBytes, sizeBytes: 513 * 8, isIndirect: true });
  // 513 = one in the upper five bits, one in the lower nine.
  expect([...words]).toEqual([0b11_1_00001, 2 ** 23 + 5]);
});
