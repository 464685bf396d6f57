import { expect, test } from 'vitest';
import { guideBlocks } from './guide-blocks.ts';

test('blocks are run in order unless they are marked', () => {
  const text =
    '# T\n\n```sh\na\n```\n\n```json\n{}\n```\n\n```sh service\nb\n```\n\n```sh not-run\nc\n```\n';
  expect(guideBlocks(text)).toEqual([
    { kind: 'run', commands: 'a\n', line: 3 },
    { kind: 'service', commands: 'b\n', line: 11 },
    { kind: 'shown', commands: 'c\n', line: 15 },
  ]);
});

test('another mark is refused, so that no block is left out by a misspelt one', () => {
  expect(() => guideBlocks('```sh notrun\na\n```\n')).toThrow('Line 1 marks a block as "notrun"');
});
