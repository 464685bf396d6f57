import { expect, test } from 'vitest';
import { COLD_MINTS_MARKET, MAINNET_MARKET } from './market-options.ts';
import { parseStateOptions } from './state-options.ts';
import { UsageError } from './usage-error.ts';

const SWAPS = '--swaps takes a whole number from 1 to 1000000000';
const SEED = '--seed takes a whole number from 0 to 4294967295';
const RATE = '--swaps-a-second takes a number above 0 and up to 1000000';
const SIZE = '--state-memory takes a size of 1MiB or more, such as 256MiB or 2GiB';
const LOAD = '--load takes mainnet, new-wallets, cold-mints, hot';

test('without options, two million swaps of mainnet are compared', () => {
  expect(parseStateOptions([])).toEqual({
    market: MAINNET_MARKET,
    swaps: 2_000_000,
    stateMemoryBytes: null,
    folder: null,
    isCompared: true,
    lateMs: null,
  });
});

test('options are those of the command line', () => {
  const args =
    '--load cold-mints --seed 7 --swaps-a-second 12.5 --swaps 90 --state-memory 64MiB ' +
    '--folder here --no-reference --late 30m';
  expect(parseStateOptions(args.split(' '))).toEqual({
    market: { ...COLD_MINTS_MARKET, seed: 7, swapsPerSlot: 5 },
    swaps: 90,
    stateMemoryBytes: 64 * 2 ** 20,
    folder: 'here',
    isCompared: false,
    lateMs: 1_800_000,
  });
});

test.each([
  ['--swaps abc', `${SWAPS}, not "abc"`],
  ['--swaps -5', `${SWAPS}, not "-5"`],
  ['--swaps=-5', `${SWAPS}, not "-5"`],
  ['--swaps 0', `${SWAPS}, not "0"`],
  ['--swaps 1.5', `${SWAPS}, not "1.5"`],
  ['--swaps', '--swaps takes a value'],
  ['--folder=', '--folder takes a value'],
  ['--seed x', `${SEED}, not "x"`],
  ['--seed 4294967296', `${SEED}, not "4294967296"`],
  ['--swaps-a-second 0', `${RATE}, not "0"`],
  ['--swaps-a-second 1e3', `${RATE}, not "1e3"`],
  ['--state-memory 8GB', `${SIZE}, not "8GB"`],
  ['--state-memory 0MiB', `${SIZE}, not "0MiB"`],
  ['--load x', `${LOAD}, not "x"`],
  ['--load constructor', `${LOAD}, not "constructor"`],
  ['--late soon', '--late takes a duration such as 30m or 1h, not "soon"'],
  ['--no-reference=yes', '--no-reference takes no value'],
  ['--threads 2', 'there is no option --threads'],
  ['2000000', '"2000000" is no option'],
])('%s is refused with a sentence', (line, sentence) => {
  expect(() => parseStateOptions(line.split(' '))).toThrow(new UsageError(sentence));
});
