import { describe, expect, it } from 'vitest';
import { FRAUD_TYPES } from '../../model/fraud.ts';
import { CALIBRATION, calibrate, parseCalibration } from './calibration.ts';

const identity = [
  [0, 0],
  [1, 1],
];

/** A table in which one type has this map. */
const withMap = (points: unknown) => ({
  version: 7,
  maps: { ...Object.fromEntries(FRAUD_TYPES.map((type) => [type, identity])), fake_dump: points },
});

describe('a calibration', () => {
  it('is linear between its points', () => {
    const calibration = parseCalibration(
      withMap([
        [0, 0.1],
        [0.5, 0.2],
        [1, 0.8],
      ]),
    );
    expect(calibration.version).toBe(7);
    const of = (rawScore: number) => calibrate('fake_dump', rawScore, calibration);
    expect([0, 0.5, 1].map(of)).toEqual([0.1, 0.2, 0.8]);
    // Half way from 0.1 to 0.2, and from 0.2 to 0.8.
    expect(of(0.25)).toBeCloseTo(0.15, 12);
    expect(of(0.75)).toBeCloseTo(0.5, 12);
  });

  it('may be constant', () => {
    const points = [
      [0, 0.3],
      [0.4, 0.3],
      [1, 1],
    ];
    expect(calibrate('fake_dump', 0.2, parseCalibration(withMap(points)))).toBe(0.3);
  });

  it.each([
    [
      'falls',
      [
        [0, 0],
        [0.4, 0.6],
        [0.6, 0.5],
        [1, 1],
      ],
    ],
    [
      'says two things of one score',
      [
        [0, 0],
        [0.5, 0.4],
        [0.5, 0.6],
        [1, 1],
      ],
    ],
    [
      'goes below 0',
      [
        [0, -0.1],
        [1, 1],
      ],
    ],
    [
      'goes above 1',
      [
        [0, 0],
        [1, 1.1],
      ],
    ],
    [
      'does not begin at 0',
      [
        [0.1, 0],
        [1, 1],
      ],
    ],
    [
      'does not end at 1',
      [
        [0, 0],
        [0.9, 1],
      ],
    ],
    ['has no points', []],
  ])('is rejected when a map %s', (_, points) => {
    expect(() => parseCalibration(withMap(points))).toThrow(RangeError);
  });

  it.each([
    ['has no version', { maps: {} }],
    ['lacks a type', { version: 1, maps: {} }],
    ['is a list', []],
    [
      'has points of text',
      withMap([
        ['0', '0'],
        ['1', '1'],
      ]),
    ],
    [
      'has points of three numbers',
      withMap([
        [0, 0, 0],
        [1, 1, 1],
      ]),
    ],
  ])('is rejected when it %s', (_, table) => {
    expect(() => parseCalibration(table)).toThrow(TypeError);
  });

  it('of the project covers every type', () => {
    for (const type of FRAUD_TYPES) {
      expect(calibrate(type, 1)).toBeLessThanOrEqual(1);
      expect(calibrate(type, 0)).toBeGreaterThanOrEqual(0);
    }
    expect(CALIBRATION.version).toBeGreaterThan(0);
  });
});
