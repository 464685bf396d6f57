import { describe, expect, test } from 'vitest';
import { parseMetrics, sumOf } from './parse-metrics.ts';

describe('metrics', () => {
  test('have a name, labels and a value; comments and blank lines are none', () => {
    const text =
      '# HELP a_b What it is.\n# TYPE a_b gauge\na_b{lane="query",kind="x y"} 3\n\nc 1.5e3\n';
    expect(parseMetrics(text)).toEqual([
      { name: 'a_b', labels: { lane: 'query', kind: 'x y' }, value: 3 },
      { name: 'c', labels: {}, value: 1_500 },
    ]);
  });

  test('keep braces, commas, quotes and line ends within values of labels', () => {
    const [sample] = parseMetrics(
      String.raw`a{one="}, two=\"3\"",three="x\\y\nz"} 4 1700000000000`,
    );
    expect(sample).toEqual({
      name: 'a',
      labels: { one: '}, two="3"', three: 'x\\y\nz' },
      value: 4,
    });
  });

  test('without a finite value, and lines of another form, are left out', () => {
    expect(parseMetrics('a NaN\nb +Inf\n<html>\nc\nd 1 2 3')).toEqual([]);
  });

  test('are added up over their labels, and unknown without any', () => {
    const samples = parseMetrics('a{lane="x"} 2\na{lane="y"} 5\nab 100');
    expect(sumOf(samples, 'a')).toBe(7);
    expect(sumOf(samples, 'b')).toBeNull();
  });
});
