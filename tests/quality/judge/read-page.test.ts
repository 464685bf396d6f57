import { describe, expect, test } from 'vitest';
import { readPage } from './read-page.ts';

const PAGE = `# Quality in one table

| part | of no table |

## Held back

| report | what     | wanted  | measured | 95 of 100      | seeds    | met |
| ------ | -------- | ------- | -------- | -------------- | -------- | --- |
| fraud  | a: found | ≥ 0.980 | 1        | 0.983 to 1     | b-1, b-2 | yes |
| fraud  | delay    | ≤ 3     | 5        |                | b-1, b-2 | NO  |

## Recorded

| report    | what | wanted | measured | 95 of 100 | seeds | met |
| --------- | ---- | ------ | -------- | --------- | ----- | --- |
| sentiment | c    |        | 0.500    |           | 1     |     |

## Elsewhere

| report | what | wanted | measured | 95 of 100 | seeds | met |
| fraud  | d    |        | 1        |           | 1     |     |
`;

describe('a page of all reports', () => {
  test('is read row by row, with its parts', () => {
    const fraud = { part: 'held back', report: 'fraud', seeds: 'b-1, b-2' };
    expect(readPage(PAGE)).toEqual([
      {
        ...{ ...fraud, what: 'a: found', wanted: '≥ 0.980', measured: '1' },
        ...{ interval: ['0.983', '1'], isMet: true },
      },
      { ...fraud, what: 'delay', wanted: '≤ 3', measured: '5', interval: null, isMet: false },
      {
        ...{ part: 'recorded', report: 'sentiment', seeds: '1', what: 'c', wanted: null },
        ...{ measured: '0.500', interval: null, isMet: null },
      },
    ]);
  });
});
