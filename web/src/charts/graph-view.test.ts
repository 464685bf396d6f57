import { describe, expect, test } from 'vitest';
import { centreOf, moved, nearestIn, parseView, writeView, zoomed } from './graph-view.ts';

const whole = parseView('-200.0 -100.0 400.0 200.0');

describe('the part of a graph that is shown', () => {
  test('keeps the point under the pointer where it was, when it is enlarged', () => {
    const at = { x: 100, y: 50 };
    const view = zoomed(whole, whole, 2, at);
    expect(view).toEqual({ left: -50, top: -25, width: 200, height: 100 });
    const shareOf = ({ left, width }: typeof view) => (at.x - left) / width;
    expect(shareOf(view)).toBe(shareOf(whole));
    expect(zoomed(view, whole, 0.5, at)).toEqual(whole);
  });

  test('is never more than the whole, nor less than a twelfth of it', () => {
    expect(zoomed(whole, whole, 0.1, centreOf(whole))).toEqual(whole);
    expect(zoomed(whole, whole, 1_000, centreOf(whole)).width).toBeCloseTo(400 / 12);
  });

  test('does not leave the whole when it is moved', () => {
    const view = zoomed(whole, whole, 2, { x: 0, y: 0 });
    expect(moved(view, whole, { x: 30, y: 0 })).toMatchObject({ left: -70, top: -50 });
    expect(moved(view, whole, { x: 9_999, y: -9_999 })).toMatchObject({ left: 0, top: -100 });
    expect(moved(whole, whole, { x: 50, y: 50 })).toEqual(whole);
  });

  test('has the nearest place for what is dragged out of it', () => {
    expect(nearestIn(whole, { x: 12, y: -7 })).toEqual({ x: 12, y: -7 });
    expect(nearestIn(whole, { x: 999, y: -999 })).toEqual({ x: 200, y: -100 });
  });

  test('is written as an attribute, and read back', () => {
    expect(parseView(writeView(whole))).toEqual(whole);
  });
});
